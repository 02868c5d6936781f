-- Admission: web origins and sign-in sessions.

-- A row is a web origin that a person decided on. A permission "until exit" is never stored.
CREATE TABLE origin (
  origin          TEXT PRIMARY KEY,
  state           TEXT NOT NULL CHECK (state IN ('30-days', 'blocked')),
  first_asked_ms  INTEGER NOT NULL,
  expires_at_ms   INTEGER
) STRICT, WITHOUT ROWID;

-- A row is one sign-in session of the dashboard. Only hashes are stored, so the database does not allow anybody to sign in.
CREATE TABLE session (
  cookie_hash   TEXT PRIMARY KEY,
  opened_at_ms  INTEGER NOT NULL,
  used_at_ms    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
