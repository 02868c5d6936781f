-- Admission: who may talk to the launcher.

-- A row is a web origin that a person decided on. A permission "until exit" is never stored.
CREATE TABLE origin (
  origin          TEXT PRIMARY KEY,
  state           TEXT NOT NULL CHECK (state IN ('30-days', 'blocked')),
  first_asked_ms  INTEGER NOT NULL,
  expires_at_ms   INTEGER
) STRICT, WITHOUT ROWID;

-- A row is one sign-in to the dashboard. Kit stores hashes only, so nobody can sign in with what is in this file.
CREATE TABLE session (
  cookie_hash   TEXT PRIMARY KEY,
  token_hash    TEXT NOT NULL,
  opened_at_ms  INTEGER NOT NULL,
  used_at_ms    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
