-- Sessions: one run of one game each, and which events of the journal belong to it.
CREATE TABLE game_session (
  seq            INTEGER PRIMARY KEY AUTOINCREMENT,
  id             TEXT NOT NULL UNIQUE,
  -- Follows from its senders, or from the id below, each time that games change; kept for when those are forgotten.
  game           TEXT,
  -- Where no run is known: the id that said which game it is.
  told_kind      TEXT,
  told_event_id  TEXT,
  -- Where it ends with a process: its id and its start, by which it is known whether it still runs.
  process        TEXT,
  -- Where it is a web page's: a digest of origin and client, since a page is another sender after a restart.
  page           TEXT,
  -- The id `kit run` gave it, and the name of the program it started.
  run            TEXT UNIQUE,
  program        TEXT,
  started_ms     INTEGER NOT NULL,
  -- Of its newest event; null while there is none.
  last_ms        INTEGER,
  ended_ms       INTEGER,
  ending         TEXT NOT NULL DEFAULT 'running'
    CHECK (ending IN ('running', 'exited', 'crashed', 'killed', 'ended', 'quiet', 'unseen')),
  exit_code      INTEGER,
  signal         TEXT,
  -- The report that was made of its crash.
  crash_event    TEXT,
  events         INTEGER NOT NULL DEFAULT 0,
  errors         INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX game_session_of_game ON game_session (game, seq);
CREATE INDEX game_session_open ON game_session (seq) WHERE ended_ms IS NULL;
CREATE INDEX game_session_page ON game_session (page, seq) WHERE page IS NOT NULL;

-- Whose events are its own. A sender is of one session.
CREATE TABLE game_session_sender (
  sender       INTEGER PRIMARY KEY,
  session_seq  INTEGER NOT NULL REFERENCES game_session (seq) ON DELETE CASCADE
) STRICT;
CREATE INDEX game_session_senders ON game_session_sender (session_seq);

-- Its events: stretches of the journal in which all are its own. No two overlap, so no event is in two sessions.
CREATE TABLE game_session_part (
  first_seq    INTEGER PRIMARY KEY,
  last_seq     INTEGER NOT NULL,
  session_seq  INTEGER NOT NULL REFERENCES game_session (seq) ON DELETE CASCADE
) STRICT;
CREATE INDEX game_session_parts ON game_session_part (session_seq, first_seq);

-- Sessions that went to make room.
CREATE TABLE game_session_gone (
  only      INTEGER PRIMARY KEY CHECK (only = 1),
  sessions  INTEGER NOT NULL
) STRICT;
INSERT INTO game_session_gone VALUES (1, 0);

-- The game a person named for a run that `kit run` started.
ALTER TABLE sender ADD COLUMN game TEXT;
