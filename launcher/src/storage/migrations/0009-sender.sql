-- Who sent an event, as far as it can be told: one run of a program, or of a web page. Which game that is follows from
-- the ids of its triggers, each time that it is read.
CREATE TABLE sender (
  id      INTEGER PRIMARY KEY,
  -- A digest of what stays the same from run to run: executable, command line and folder, or the page's origin.
  program TEXT NOT NULL,
  -- Tells its runs apart.
  run     TEXT NOT NULL
) STRICT;

-- The first ids of its triggers.
CREATE TABLE sender_event_id (
  sender_id INTEGER NOT NULL REFERENCES sender (id) ON DELETE CASCADE,
  kind      TEXT NOT NULL,
  event_id  TEXT NOT NULL,
  PRIMARY KEY (sender_id, kind, event_id)
) STRICT, WITHOUT ROWID;
ALTER TABLE event ADD COLUMN sender INTEGER;

-- Where a developer keeps the source of a game, and what opens it.
CREATE TABLE game_source (
  game   TEXT PRIMARY KEY,
  root   TEXT NOT NULL,
  editor TEXT NOT NULL
) STRICT, WITHOUT ROWID;
