-- Web origins a person decided on. "Until exit" is never written down.
CREATE TABLE origin (
  origin          TEXT PRIMARY KEY,
  state           TEXT NOT NULL CHECK (state IN ('30-days', 'blocked')),
  first_asked_ms  INTEGER NOT NULL,
  expires_at_ms   INTEGER
) STRICT, WITHOUT ROWID;

-- Dashboard sessions: hashes only, so that the file opens no door.
CREATE TABLE session (
  cookie_hash   TEXT PRIMARY KEY,
  token_hash    TEXT NOT NULL,
  opened_at_ms  INTEGER NOT NULL,
  used_at_ms    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
