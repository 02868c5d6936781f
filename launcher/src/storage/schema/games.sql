-- Games: known games and event ids, switches, labels, senders and sessions.

-- A row is one game, named by the prefix of its event ids. Unregistered games are guessed from event ids.
CREATE TABLE game (
  game             TEXT PRIMARY KEY,
  registered       INTEGER NOT NULL DEFAULT 0,
  recording        INTEGER NOT NULL DEFAULT 1,
  monitor          INTEGER NOT NULL DEFAULT 1,
  social           INTEGER NOT NULL DEFAULT 1,
  first_seen_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A row is one event id. The launcher adds it when it first sees that id.
CREATE TABLE rule (
  kind             TEXT NOT NULL,
  event_id         TEXT NOT NULL,
  assigned_game    TEXT,
  enabled          INTEGER NOT NULL DEFAULT 1,
  first_seen_at_ms INTEGER NOT NULL,
  -- How many events had this id, and when the last one came. The trigger `event_came` (inbox.sql) counts them.
  events           INTEGER NOT NULL DEFAULT 0,
  last_seen_ms     INTEGER,
  PRIMARY KEY (kind, event_id)
) STRICT, WITHOUT ROWID;

-- A row is the switch of one service.
CREATE TABLE service (
  kind    TEXT PRIMARY KEY,
  enabled INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A row is the label and icon of an event id, set by a person or by the game's kit.events.json.
CREATE TABLE event_look (
  event_id TEXT PRIMARY KEY,
  label TEXT,
  icon TEXT,
  -- A text for posts that the game's developer proposes. By itself it posts nothing.
  post_text TEXT,
  added_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A row is the display name, build, start command and cover of one game.
CREATE TABLE game_entry (
  game TEXT PRIMARY KEY,
  name TEXT,
  -- The build in the game's kit.events.json, for error reports that name none.
  build TEXT,
  -- JSON: program, arguments, folder.
  command TEXT,
  -- The type of the picture that a person chose, and a value that changes whenever the picture does.
  cover_type TEXT,
  cover_version TEXT,
  -- As base64. This column is last, so that a list does not read it.
  cover TEXT
) STRICT;

-- A row is a start command from a restored database of another Kit. Kit runs it only after a person confirms it.
CREATE TABLE proposed_command (
  game    TEXT PRIMARY KEY,
  command TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A row is a program that a game was seen running as. Kit recognises the game by it before the first event.
CREATE TABLE game_program (
  game       TEXT NOT NULL,
  path       TEXT NOT NULL,
  command    TEXT NOT NULL,
  seen_at_ms INTEGER NOT NULL,
  -- What the program was started with, so that the dashboard can offer Play: a JSON list, and the folder.
  arguments  TEXT,
  folder     TEXT,
  PRIMARY KEY (game, path, command)
) STRICT, WITHOUT ROWID;

-- A row is the source folder of one game, and the editor for it.
CREATE TABLE game_source (
  game   TEXT PRIMARY KEY,
  root   TEXT NOT NULL,
  editor TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A row is one sender of events: one run of a program or of a web page. Its game is derived from the ids of its triggers when the row
-- is read.
CREATE TABLE sender (
  id      INTEGER PRIMARY KEY,
  -- A digest of what stays the same from run to run: executable, command line and folder, or the page's origin.
  program TEXT NOT NULL,
  -- Tells its runs apart.
  run     TEXT NOT NULL,
  -- The game that a person named for a run that `kit run` started.
  game    TEXT,
  -- The build that a person named for such a run.
  build   TEXT
) STRICT;

-- A row is one of the first event ids that a sender used.
CREATE TABLE sender_event_id (
  sender_id INTEGER NOT NULL REFERENCES sender (id) ON DELETE CASCADE,
  kind      TEXT NOT NULL,
  event_id  TEXT NOT NULL,
  PRIMARY KEY (sender_id, kind, event_id)
) STRICT, WITHOUT ROWID;

-- A row is one session: one run of one game.
CREATE TABLE game_session (
  seq            INTEGER PRIMARY KEY AUTOINCREMENT,
  id             TEXT NOT NULL UNIQUE,
  -- The launcher finds it by the senders, or by the id below, whenever games change. It is stored for when those are forgotten.
  game           TEXT,
  -- Where no run is known: the event id that told which game it is.
  told_kind      TEXT,
  told_event_id  TEXT,
  -- Where the session ends with a process: its id and its start, by which the launcher knows whether it still runs.
  process        TEXT,
  -- Where a web page is the sender: a digest of origin and client, since a page is another sender after a restart.
  page           TEXT,
  -- The id that `kit run` gave it, and the name of the program that it started.
  run            TEXT UNIQUE,
  program        TEXT,
  started_ms     INTEGER NOT NULL,
  -- When its newest event came; null while it has none.
  last_ms        INTEGER,
  ended_ms       INTEGER,
  ending         TEXT NOT NULL DEFAULT 'running'
    CHECK (ending IN ('running', 'exited', 'crashed', 'killed', 'ended', 'quiet', 'unseen')),
  exit_code      INTEGER,
  signal         TEXT,
  -- The error report that the launcher made of its crash.
  crash_event    TEXT,
  events         INTEGER NOT NULL DEFAULT 0,
  errors         INTEGER NOT NULL DEFAULT 0,
  -- How many of its events were recording triggers and social triggers.
  moments        INTEGER NOT NULL DEFAULT 0,
  posts          INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX game_session_of_game ON game_session (game, seq);
CREATE INDEX game_session_open ON game_session (seq) WHERE ended_ms IS NULL;
CREATE INDEX game_session_page ON game_session (page, seq) WHERE page IS NOT NULL;

-- A row is a sender whose events belong to the session. A sender has one session.
CREATE TABLE game_session_sender (
  sender       INTEGER PRIMARY KEY,
  session_seq  INTEGER NOT NULL REFERENCES game_session (seq) ON DELETE CASCADE
) STRICT;
CREATE INDEX game_session_senders ON game_session_sender (session_seq);

-- A row is a range of the journal whose events all belong to the session. Ranges never overlap, so no event is in two sessions.
CREATE TABLE game_session_part (
  first_seq    INTEGER PRIMARY KEY,
  last_seq     INTEGER NOT NULL,
  session_seq  INTEGER NOT NULL REFERENCES game_session (seq) ON DELETE CASCADE
) STRICT;
CREATE INDEX game_session_parts ON game_session_part (session_seq, first_seq);

-- The only row counts the sessions that were removed to free up space.
CREATE TABLE game_session_gone (
  only      INTEGER PRIMARY KEY CHECK (only = 1),
  sessions  INTEGER NOT NULL
) STRICT;
INSERT INTO game_session_gone VALUES (1, 0);
