-- What was worth saying of issues: each row is committed with the count that made it true.
CREATE TABLE notice (
  -- Never used twice: by it is known what was seen.
  number    INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_seq INTEGER NOT NULL REFERENCES issue (seq) ON DELETE CASCADE,
  kind      TEXT NOT NULL CHECK (kind IN ('new', 'regressed', 'woke', 'times')),
  at_ms     INTEGER NOT NULL,
  -- Reports of the issue by then.
  count     INTEGER NOT NULL
) STRICT;
CREATE INDEX notice_of_issue ON notice (issue_seq);

-- What a person set of them, as JSON under its name, and up to which one they saw them.
CREATE TABLE notice_setting (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
