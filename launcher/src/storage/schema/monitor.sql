-- Monitor: issues group error reports by fingerprint. Counts are exact; only a few reports are stored completely.

-- A row is one issue.
CREATE TABLE issue (
  seq                INTEGER PRIMARY KEY,
  id                 TEXT NOT NULL UNIQUE,
  title              TEXT NOT NULL,
  game               TEXT,
  -- What shares one limit on new issues: a game, or a sender whose game is not known.
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
  -- The sums of its fingerprints, by which lists are ordered.
  first_seen_ms      INTEGER NOT NULL,
  last_seen_ms       INTEGER NOT NULL,
  count              INTEGER NOT NULL,
  first_build        TEXT,
  last_build         TEXT,
  -- The build in which a person resolved it, and a text by which builds are ordered.
  resolved_build     TEXT,
  resolved_order     TEXT,
  note               TEXT,
  deleted_at_ms      INTEGER,
  -- Set while it is part of another issue. Meanwhile Kit counts nothing under this one.
  merged_into        INTEGER REFERENCES issue (seq) ON DELETE CASCADE,
  listed             INTEGER AS (iif(merged_into IS NOT NULL, 2, iif(deleted_at_ms IS NULL, 0, 1))) VIRTUAL
) STRICT;
CREATE INDEX issue_by_state ON issue (listed, state, last_seen_ms, seq);
CREATE INDEX issue_of_lane ON issue (lane, last_seen_ms);
CREATE INDEX issue_new_of_lane ON issue (lane, created_ms);
CREATE INDEX issue_merged ON issue (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX issue_by_last_seen ON issue (listed, last_seen_ms, seq, state, game);
CREATE INDEX issue_by_first_seen ON issue (listed, first_seen_ms, seq, state, game);
CREATE INDEX issue_by_count ON issue (listed, count, seq, state, game);
CREATE INDEX issue_by_game ON issue (listed, game, state, last_seen_ms);
CREATE INDEX issue_in_bin ON issue (deleted_at_ms) WHERE deleted_at_ms IS NOT NULL;
CREATE INDEX issue_waking ON issue (muted_until_ms) WHERE state = 'muted' AND muted_until_ms IS NOT NULL;

-- A row is one fingerprint and its issue. A merge changes the issue; `home_seq` is the issue that was created for the fingerprint.
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
  first_build    TEXT,
  last_build     TEXT,
  -- How far Kit has come in choosing the reports that it stores whole, as JSON.
  sampling       TEXT NOT NULL,
  UNIQUE (game, version, key)
) STRICT;
CREATE INDEX fingerprint_of_issue ON issue_fingerprint (issue_seq);
CREATE INDEX fingerprint_of_home ON issue_fingerprint (home_seq);

-- A row counts the reports of one minute. Older rows are combined by hour, then by day.
CREATE TABLE issue_count (
  fingerprint_seq INTEGER NOT NULL REFERENCES issue_fingerprint (seq) ON DELETE CASCADE,
  at_ms           INTEGER NOT NULL,
  span            TEXT NOT NULL CHECK (span IN ('minute', 'hour', 'day')),
  n               INTEGER NOT NULL,
  PRIMARY KEY (fingerprint_seq, at_ms, span)
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_count_by_age ON issue_count (span, at_ms);

-- A row is a report that is stored completely. It is a copy, because the journal drops old events.
CREATE TABLE issue_sample (
  seq             INTEGER PRIMARY KEY,
  fingerprint_seq INTEGER NOT NULL REFERENCES issue_fingerprint (seq) ON DELETE CASCADE,
  event           TEXT NOT NULL UNIQUE,
  -- Its number in the journal, which tells whether a person had agreed to forwarding.
  event_seq       INTEGER NOT NULL,
  -- Empty if it is unknown.
  build           TEXT NOT NULL DEFAULT '',
  number          INTEGER NOT NULL,
  at_ms           INTEGER NOT NULL,
  -- Message and stack as JSON text: the one form in which any string comes back as it was sent.
  body            TEXT NOT NULL,
  origin          TEXT,
  client          TEXT,
  bytes           INTEGER NOT NULL,
  -- How dispensable the report is, before its age is added.
  irrelevance     INTEGER NOT NULL,
  -- 0: it is stored only because it is the newest.
  chosen          INTEGER NOT NULL,
  -- 1 if recording was asked for a clip of it, as the first report of a run. It may have made none.
  clip_requested  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX sample_of_fingerprint ON issue_sample (fingerprint_seq, number);
CREATE INDEX sample_bytes ON issue_sample (bytes);

-- A row counts reports that were acknowledged but not stored. During a flood this writes one page per commit instead of nine for the
-- sums. Soon afterwards, the row is added to the sums of its fingerprint and deleted in one transaction.
CREATE TABLE issue_tally (
  seq             INTEGER PRIMARY KEY,
  fingerprint_seq INTEGER NOT NULL REFERENCES issue_fingerprint (seq) ON DELETE CASCADE,
  minute_ms       INTEGER NOT NULL,
  n               INTEGER NOT NULL,
  first_ms        INTEGER NOT NULL,
  last_ms         INTEGER NOT NULL,
  -- Reports of each build, as JSON. Of rows that were written together, only the first has them.
  builds          TEXT NOT NULL,
  -- The forwarding targets for which a person agreed only later, as a JSON list of their numbers.
  not_for         TEXT NOT NULL DEFAULT '[]'
) STRICT;

-- A row is the searchable text of one issue, written by the triggers below. The trigram index stores no positions, which makes it a
-- quarter of the size, so a search verifies its results.
CREATE VIRTUAL TABLE issue_text USING fts5 (
  title, place, note, game, content = '', contentless_delete = 1, tokenize = 'trigram', detail = none);

-- The only row contains running totals. The bytes are approximately those on disk, including indices.
CREATE TABLE issue_size (
  only          INTEGER PRIMARY KEY CHECK (only = 1),
  issues        INTEGER NOT NULL,
  bytes         INTEGER NOT NULL,
  -- Of these, the bytes of the reports that Kit stores whole.
  sample_bytes  INTEGER NOT NULL
) STRICT;
INSERT INTO issue_size VALUES (1, 0, 0, 0);

-- A row counts the issues and reports of one game ('' for none) that were removed to free up space.
CREATE TABLE issue_forgotten (
  game     TEXT PRIMARY KEY,
  issues   INTEGER NOT NULL,
  reports  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER issue_made AFTER INSERT ON issue BEGIN
  INSERT INTO issue_text (rowid, title, place, note, game)
    VALUES (NEW.seq, NEW.title, coalesce(NEW.culprit ->> 'function', '') || ' ' || coalesce(NEW.culprit ->> 'file', ''),
      NEW.note, NEW.game);
  UPDATE issue_size SET issues = issues + 1,
    bytes = bytes + 600 + 2 * octet_length(NEW.title || coalesce(NEW.culprit, ''));
END;
CREATE TRIGGER issue_noted AFTER UPDATE OF note ON issue WHEN NEW.note IS NOT OLD.note BEGIN
  UPDATE issue_text SET title = NEW.title, note = NEW.note, game = NEW.game,
    place = coalesce(NEW.culprit ->> 'function', '') || ' ' || coalesce(NEW.culprit ->> 'file', '')
  WHERE rowid = NEW.seq;
END;
CREATE TRIGGER issue_gone AFTER DELETE ON issue BEGIN
  DELETE FROM issue_text WHERE rowid = OLD.seq;
  UPDATE issue_size SET issues = issues - 1,
    bytes = bytes - 600 - 2 * octet_length(OLD.title || coalesce(OLD.culprit, ''));
END;
CREATE TRIGGER issue_count_made AFTER INSERT ON issue_count BEGIN
  UPDATE issue_size SET bytes = bytes + 48;
END;
CREATE TRIGGER issue_count_gone AFTER DELETE ON issue_count BEGIN
  UPDATE issue_size SET bytes = bytes - 48;
END;
CREATE TRIGGER issue_sample_made AFTER INSERT ON issue_sample BEGIN
  UPDATE issue_size SET bytes = bytes + NEW.bytes + 180, sample_bytes = sample_bytes + NEW.bytes;
END;
CREATE TRIGGER issue_sample_cut AFTER UPDATE OF bytes ON issue_sample BEGIN
  UPDATE issue_size SET bytes = bytes + NEW.bytes - OLD.bytes, sample_bytes = sample_bytes + NEW.bytes - OLD.bytes;
END;
CREATE TRIGGER issue_sample_gone AFTER DELETE ON issue_sample BEGIN
  UPDATE issue_size SET bytes = bytes - OLD.bytes - 180, sample_bytes = sample_bytes - OLD.bytes;
END;

-- A row is one alert about an issue, committed with the count that caused it.
CREATE TABLE notice (
  -- Never used twice: Kit stores the number up to which a person has seen alerts.
  number    INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_seq INTEGER NOT NULL REFERENCES issue (seq) ON DELETE CASCADE,
  kind      TEXT NOT NULL CHECK (kind IN ('new', 'regressed', 'woke', 'times')),
  at_ms     INTEGER NOT NULL,
  -- How many reports the issue had by then.
  count     INTEGER NOT NULL
) STRICT;
CREATE INDEX notice_of_issue ON notice (issue_seq);

-- A row is one setting of alerts as JSON, or the number up to which alerts have been seen.
CREATE TABLE notice_setting (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A row is a forwarding target. Its address and key are stored with the secrets. `delivered` and `dropped` count reports, not requests.
CREATE TABLE forward_target (
  seq            INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  kind           TEXT NOT NULL CHECK (kind IN ('sentry', 'otlp')),
  -- Null takes the reports of all games, 'unsorted' those without a game.
  game           TEXT,
  -- Host and port, to be shown.
  host           TEXT NOT NULL,
  project        TEXT,
  -- Which of the credentials in its secret the target uses. The secret holds two while the address changes.
  access         TEXT NOT NULL,
  environment    TEXT,
  -- A random id that this target gets with every report; null if a person did not agree.
  installation   TEXT,
  -- 1 if a person agreed that the clips of errors are sent too.
  videos         INTEGER NOT NULL DEFAULT 0,
  -- The bucket that videos are uploaded to, as JSON without its keys; null if there is none.
  bucket         TEXT,
  -- Whether the events before an error are sent with it.
  earlier_events INTEGER NOT NULL DEFAULT 1,
  -- The invitation that a person accepted, as JSON; null if they added the target themselves.
  consent        TEXT,
  enabled        INTEGER NOT NULL DEFAULT 1,
  -- The newest event of the journal when a person agreed. Reports up to it are not forwarded, whenever they are counted.
  agreed_seq     INTEGER NOT NULL DEFAULT 0,
  -- The same for all games but one, which the target had before a person let it take others; null if it always had those it has.
  widened_seq    INTEGER NOT NULL DEFAULT 0,
  widened_from   TEXT,
  created_ms     INTEGER NOT NULL,
  delivered      INTEGER NOT NULL DEFAULT 0,
  delivered_ms   INTEGER,
  dropped        INTEGER NOT NULL DEFAULT 0,
  -- Of the dropped reports, those that the target was not told of yet.
  dropped_untold INTEGER NOT NULL DEFAULT 0,
  -- What failed last; null again after the next delivery.
  fault          TEXT,
  fault_ms       INTEGER,
  -- Why Kit sends nothing until a person does something.
  stopped        TEXT,
  wait_until_ms  INTEGER,
  wait_because   TEXT CHECK (wait_because IN ('rate-limit', 'failure'))
) STRICT;

-- A row is a switch of one target that a person changed. Only the newest of each target are kept.
CREATE TABLE forward_decision (
  seq        INTEGER PRIMARY KEY,
  target_seq INTEGER NOT NULL REFERENCES forward_target (seq) ON DELETE CASCADE,
  at_ms      INTEGER NOT NULL,
  switch     TEXT NOT NULL CHECK (switch IN ('reports', 'earlierEvents', 'installation', 'videos')),
  is_on      INTEGER NOT NULL
) STRICT;
CREATE INDEX forward_decision_of_target ON forward_decision (target_seq, seq);

-- A row counts the reports of one fingerprint and build that occurred since one target takes them.
CREATE TABLE forward_count (
  target_seq      INTEGER NOT NULL REFERENCES forward_target (seq) ON DELETE CASCADE,
  fingerprint_seq INTEGER NOT NULL REFERENCES issue_fingerprint (seq) ON DELETE CASCADE,
  -- Empty if it is unknown.
  build           TEXT NOT NULL,
  since_ms        INTEGER NOT NULL,
  last_ms         INTEGER NOT NULL,
  -- Reports that no queued or sent message stands for, and those that one does.
  untold          INTEGER NOT NULL,
  told            INTEGER NOT NULL DEFAULT 0,
  -- The newest stored report that was queued, and the regression that was queued last.
  told_number     INTEGER NOT NULL DEFAULT 0,
  told_ms         INTEGER NOT NULL DEFAULT 0,
  told_regression_ms INTEGER NOT NULL DEFAULT 0,
  -- The text that the target was told last. A message without a report of its own has it, because the issue's title may be from before
  -- a person agreed.
  told_text       TEXT,
  -- A random name of the sum that a collector gets, and how many reports were told before that sum began.
  series          TEXT NOT NULL,
  series_told     INTEGER NOT NULL DEFAULT 0,
  -- When that sum was zero, by this computer's clock; and what the collector was told first, by its own clock. Once stored, it stays.
  series_since_ms INTEGER NOT NULL,
  series_start_ms INTEGER,
  PRIMARY KEY (target_seq, fingerprint_seq, build)
) STRICT, WITHOUT ROWID;
CREATE INDEX forward_count_of_fingerprint ON forward_count (fingerprint_seq);
CREATE INDEX forward_count_untold ON forward_count (target_seq, told_ms) WHERE untold > 0;

-- A row is a message that waits to be forwarded to one target. It stands for `reports` reports, and contains one of them, as a copy,
-- because newer reports replace stored ones. Messages are sent in the order of `seq`. Their number of reports never changes: a
-- repeat with the same id states the same number.
CREATE TABLE forward_report (
  seq         INTEGER PRIMARY KEY,
  target_seq  INTEGER NOT NULL REFERENCES forward_target (seq) ON DELETE CASCADE,
  -- Not a reference: a queued message is sent even if its issue is deleted.
  fingerprint_seq INTEGER NOT NULL,
  event       TEXT NOT NULL,
  -- The event of the journal that it contains; null if no report of the issue is stored.
  source      TEXT,
  news        TEXT NOT NULL CHECK (news IN ('new', 'regressed', 'more')),
  bytes       INTEGER NOT NULL,
  -- How often the server answered that it cannot read the message.
  refused     INTEGER NOT NULL DEFAULT 0,
  -- 1 if stack and earlier events are left out, to save space or because the server refused them.
  stripped    INTEGER NOT NULL DEFAULT 0,
  reports     INTEGER NOT NULL,
  -- All reports of the fingerprint that this and earlier messages stand for, the first of which occurred at `since_ms`.
  total       INTEGER NOT NULL,
  series      TEXT NOT NULL,
  series_told INTEGER NOT NULL,
  series_since_ms INTEGER NOT NULL,
  series_start_ms INTEGER,
  -- When the message before it was queued.
  after_ms    INTEGER NOT NULL,
  since_ms    INTEGER NOT NULL,
  last_ms     INTEGER NOT NULL,
  -- How many reports the issue had on this computer.
  number      INTEGER NOT NULL,
  sample_number INTEGER NOT NULL,
  regression_ms INTEGER NOT NULL,
  queued_ms   INTEGER NOT NULL,
  at_ms       INTEGER NOT NULL,
  issue       TEXT NOT NULL,
  game        TEXT,
  build       TEXT NOT NULL,
  dialect     TEXT NOT NULL,
  version     INTEGER NOT NULL,
  key         TEXT NOT NULL,
  -- Message and stack as JSON text.
  body        TEXT NOT NULL,
  -- 0 until its reports are moved from untold to told, in the same transaction.
  counted     INTEGER NOT NULL DEFAULT 0,
  UNIQUE (target_seq, event)
) STRICT;
CREATE INDEX forward_report_of_target ON forward_report (target_seq, seq);
CREATE INDEX forward_report_of_fingerprint ON forward_report (target_seq, fingerprint_seq);
CREATE INDEX forward_report_uncounted ON forward_report (counted) WHERE counted = 0;

-- A row is a request that left this computer, so that a person can see what was sent. Only the newest of each target are kept.
CREATE TABLE forward_sent (
  seq        INTEGER PRIMARY KEY,
  target_seq INTEGER NOT NULL REFERENCES forward_target (seq) ON DELETE CASCADE,
  sent_ms    INTEGER NOT NULL,
  -- The games of its messages, as a JSON list with null for messages without a game.
  games      TEXT NOT NULL,
  messages   INTEGER NOT NULL,
  reports    INTEGER NOT NULL,
  accepted   INTEGER NOT NULL,
  -- The beginning of the body, and the length of the whole.
  body       TEXT NOT NULL,
  chars      INTEGER NOT NULL
) STRICT;
CREATE INDEX forward_sent_of_target ON forward_sent (target_seq, seq);

-- A row is the state of the videos of one target. It is made when videos are switched on. `sent` counts videos that the server answered
-- with success, which does not mean that it shows them.
CREATE TABLE forward_video_target (
  id             TEXT PRIMARY KEY,
  target_seq     INTEGER NOT NULL REFERENCES forward_target (seq) ON DELETE CASCADE,
  enabled        INTEGER NOT NULL DEFAULT 1,
  sent           INTEGER NOT NULL DEFAULT 0,
  sent_ms        INTEGER,
  unsent         INTEGER NOT NULL DEFAULT 0,
  -- Why the last of them was not sent.
  reason         TEXT,
  reason_ms      INTEGER,
  -- Smaller than a size that the server refused; null if it refused none.
  bytes_max      INTEGER,
  -- The size of dropped videos that the server was not told of.
  dropped_untold INTEGER NOT NULL DEFAULT 0,
  fault          TEXT,
  fault_ms       INTEGER,
  stopped        TEXT,
  wait_until_ms  INTEGER,
  wait_because   TEXT CHECK (wait_because IN ('rate-limit', 'failure'))
) STRICT, WITHOUT ROWID;
CREATE INDEX forward_video_target_of_target ON forward_video_target (target_seq);

-- A row is an error that one target confirmed, and the clip that shows it: confirmed (no clip yet), waiting, sent or refused.
CREATE TABLE forward_video (
  seq          INTEGER PRIMARY KEY,
  target_seq   INTEGER NOT NULL REFERENCES forward_target (seq) ON DELETE CASCADE,
  -- The id of the report in the journal and at the server.
  event        TEXT NOT NULL,
  issue        TEXT NOT NULL,
  build        TEXT NOT NULL,
  confirmed_ms INTEGER NOT NULL,
  state        TEXT NOT NULL CHECK (state IN ('confirmed', 'waiting', 'sent', 'refused')),
  -- 1 while it is sent. Then it is not deleted in favour of a newer one.
  sending      INTEGER NOT NULL DEFAULT 0,
  -- 1 if it was encoded again because the server refused its size.
  refitted     INTEGER NOT NULL DEFAULT 0,
  -- How often a copy could not be made, or most of it was sent without an answer that ends it.
  tries        INTEGER NOT NULL DEFAULT 0,
  failing_ms   INTEGER,
  done_ms      INTEGER,
  -- The confirmed message as JSON, to be sent once more with a link to the video; null once that is done.
  report       TEXT,
  UNIQUE (target_seq, event)
) STRICT;
CREATE INDEX forward_video_by_state ON forward_video (target_seq, state, seq);
CREATE INDEX forward_video_of_issue ON forward_video (target_seq, issue, build, state);
CREATE INDEX forward_video_done ON forward_video (target_seq, done_ms) WHERE done_ms IS NOT NULL;

-- A row is a multipart upload of a video to the bucket of one target. It goes when the upload is complete or aborted.
CREATE TABLE forward_upload (
  seq        INTEGER PRIMARY KEY,
  target_seq INTEGER NOT NULL REFERENCES forward_target (seq) ON DELETE CASCADE,
  -- Null, or a video that does not wait: the upload is to be aborted.
  video_seq  INTEGER REFERENCES forward_video (seq) ON DELETE SET NULL,
  key        TEXT NOT NULL,
  -- What the store calls the upload.
  upload_id  TEXT NOT NULL,
  part_bytes INTEGER NOT NULL,
  -- The ETags of the parts that the store has, as a JSON list.
  etags      TEXT NOT NULL DEFAULT '[]',
  -- How often it could not be aborted.
  failures   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX forward_upload_of_target ON forward_upload (target_seq);
CREATE INDEX forward_upload_of_video ON forward_upload (video_seq);

-- If an issue is deleted, its reports that no message stands for are not forwarded any more.
CREATE TRIGGER forward_count_gone AFTER DELETE ON forward_count WHEN OLD.untold > 0 BEGIN
  UPDATE forward_target SET dropped = dropped + OLD.untold, dropped_untold = dropped_untold + OLD.untold
  WHERE seq = OLD.target_seq;
END;
