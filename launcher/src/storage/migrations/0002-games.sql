-- Games by the prefix of their event ids; an unregistered one is the launcher's guess.
CREATE TABLE game (
  game             TEXT PRIMARY KEY,
  registered       INTEGER NOT NULL DEFAULT 0,
  recording        INTEGER NOT NULL DEFAULT 1,
  monitor          INTEGER NOT NULL DEFAULT 1,
  social           INTEGER NOT NULL DEFAULT 1,
  first_seen_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One row an event id, created when it is first seen.
CREATE TABLE rule (
  kind             TEXT NOT NULL,
  event_id         TEXT NOT NULL,
  assigned_game    TEXT,
  enabled          INTEGER NOT NULL DEFAULT 1,
  first_seen_at_ms INTEGER NOT NULL,
  PRIMARY KEY (kind, event_id)
) STRICT, WITHOUT ROWID;

-- The switches of whole services.
CREATE TABLE service (
  kind    TEXT PRIMARY KEY,
  enabled INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
