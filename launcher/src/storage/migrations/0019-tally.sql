-- Reports that are only counted, as they are acknowledged: a page of a flood's commit where the sums themselves are nine.
-- Added to the sums of their fingerprints soon after, and gone from here in the same transaction.
CREATE TABLE issue_tally (
  seq             INTEGER PRIMARY KEY,
  fingerprint_seq INTEGER NOT NULL REFERENCES issue_fingerprint (seq) ON DELETE CASCADE,
  minute_ms       INTEGER NOT NULL,
  n               INTEGER NOT NULL,
  first_ms        INTEGER NOT NULL,
  last_ms         INTEGER NOT NULL
) STRICT;
