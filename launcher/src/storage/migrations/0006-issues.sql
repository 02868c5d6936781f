-- Issues: error reports of one kind. Counts are exact and kept apart from the few reports that are kept whole.
CREATE TABLE issue (
  seq                INTEGER PRIMARY KEY,
  id                 TEXT NOT NULL UNIQUE,
  title              TEXT NOT NULL,
  game               TEXT,
  -- Who shares its bound on new issues: a game, or a sender where the game is not known.
  lane               TEXT NOT NULL,
  dialect            TEXT NOT NULL,
  culprit            TEXT,
  why                TEXT NOT NULL,
  overflow           INTEGER NOT NULL DEFAULT 0,
  state              TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'resolved', 'muted', 'regressed')),
  state_since_ms     INTEGER NOT NULL,
  muted_until_ms     INTEGER,
  muted_until_count  INTEGER,
  created_ms         INTEGER NOT NULL,
  -- The sums of its fingerprints, for lists in their order.
  first_seen_ms      INTEGER NOT NULL,
  last_seen_ms       INTEGER NOT NULL,
  count              INTEGER NOT NULL,
  note               TEXT,
  deleted_at_ms      INTEGER,
  -- Set while it is part of another; nothing is counted under it meanwhile.
  merged_into        INTEGER REFERENCES issue (seq) ON DELETE CASCADE,
  listed             INTEGER AS (iif(merged_into IS NOT NULL, 2, iif(deleted_at_ms IS NULL, 0, 1))) VIRTUAL
) STRICT;
CREATE INDEX issue_by_last_seen ON issue (listed, last_seen_ms, seq);
CREATE INDEX issue_by_first_seen ON issue (listed, first_seen_ms, seq);
CREATE INDEX issue_by_count ON issue (listed, count, seq);
CREATE INDEX issue_by_state ON issue (listed, state, last_seen_ms, seq);
CREATE INDEX issue_of_lane ON issue (lane, last_seen_ms);
CREATE INDEX issue_new_of_lane ON issue (lane, created_ms);
CREATE INDEX issue_merged ON issue (merged_into) WHERE merged_into IS NOT NULL;

-- Which reports belong to which issue. A merge points them elsewhere; `home_seq` is the issue they were made for.
CREATE TABLE issue_fingerprint (
  seq            INTEGER PRIMARY KEY,
  issue_seq      INTEGER NOT NULL REFERENCES issue (seq) ON DELETE CASCADE,
  home_seq       INTEGER NOT NULL REFERENCES issue (seq) ON DELETE CASCADE,
  game           TEXT NOT NULL,
  version        INTEGER NOT NULL,
  key            TEXT NOT NULL,
  count          INTEGER NOT NULL,
  first_seen_ms  INTEGER NOT NULL,
  last_seen_ms   INTEGER NOT NULL,
  -- How far the choice of the reports that are kept has come, as JSON.
  sampling       TEXT NOT NULL,
  UNIQUE (game, version, key)
) STRICT;
CREATE INDEX fingerprint_of_issue ON issue_fingerprint (issue_seq);
CREATE INDEX fingerprint_of_home ON issue_fingerprint (home_seq);

-- How many there were, by minute; older ones by hour, then by day.
CREATE TABLE issue_count (
  fingerprint_seq INTEGER NOT NULL REFERENCES issue_fingerprint (seq) ON DELETE CASCADE,
  at_ms           INTEGER NOT NULL,
  span            TEXT NOT NULL CHECK (span IN ('minute', 'hour', 'day')),
  n               INTEGER NOT NULL,
  PRIMARY KEY (fingerprint_seq, at_ms, span)
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_count_by_age ON issue_count (span, at_ms);

-- The reports that are kept whole, apart from the journal, which forgets.
CREATE TABLE issue_sample (
  seq             INTEGER PRIMARY KEY,
  fingerprint_seq INTEGER NOT NULL REFERENCES issue_fingerprint (seq) ON DELETE CASCADE,
  event           TEXT NOT NULL UNIQUE,
  number          INTEGER NOT NULL,
  at_ms           INTEGER NOT NULL,
  -- Message and stack as JSON text: the one form in which any string comes back as it was sent.
  body            TEXT NOT NULL,
  origin          TEXT,
  client          TEXT,
  bytes           INTEGER NOT NULL,
  -- How little it would be missed, before its age is added.
  irrelevance     INTEGER NOT NULL,
  -- 0: only here because it is the newest.
  chosen          INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX sample_of_fingerprint ON issue_sample (fingerprint_seq, number);
CREATE INDEX sample_bytes ON issue_sample (bytes);
