-- Recording: settings, rules and clips.

-- A row is one setting of the recorder that a person changed, with its value as JSON.
CREATE TABLE recorder_setting (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A row is the recording rule of an event id, if it differs from the default.
CREATE TABLE recording_rule (
  event_id     TEXT PRIMARY KEY,
  action       TEXT NOT NULL CHECK (action IN ('clip', 'screenshot', 'marker', 'nothing')),
  pre_ms       INTEGER NOT NULL,
  post_ms      INTEGER NOT NULL,
  merge_gap_ms INTEGER NOT NULL,
  longest_ms   INTEGER NOT NULL,
  cooldown_ms  INTEGER NOT NULL,
  priority     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A row is a clip, a screenshot or a marker. A pending one is planned; a saved one has a verified file.
CREATE TABLE clip (
  seq           INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  kind          TEXT NOT NULL CHECK (kind IN ('clip', 'screenshot', 'marker')),
  state         TEXT NOT NULL CHECK (state IN ('pending', 'saved', 'failed', 'marked')),
  reason        TEXT,
  -- What the clip is of: moments that a game reported, nothing but error reports, or a test recording.
  subject       TEXT NOT NULL DEFAULT 'highlight' CHECK (subject IN ('highlight', 'error', 'test')),
  -- The label of the best moment, or the title that a person gave it (named = 1).
  title         TEXT NOT NULL,
  -- The title as a message, if Kit made it up; null for a label, and for a title that a person gave.
  title_message TEXT,
  named         INTEGER NOT NULL DEFAULT 0,
  game          TEXT,
  -- The window that was asked for; once the clip is saved, what the file really holds.
  from_ms       INTEGER NOT NULL,
  to_ms         INTEGER NOT NULL,
  duration_ms   INTEGER NOT NULL DEFAULT 0,
  -- Relative to the clips folder.
  file          TEXT,
  bytes         INTEGER NOT NULL DEFAULT 0,
  width         INTEGER NOT NULL DEFAULT 0,
  height        INTEGER NOT NULL DEFAULT 0,
  frames        INTEGER NOT NULL DEFAULT 0,
  microphone    INTEGER NOT NULL DEFAULT 0,
  backend       TEXT,
  notes         TEXT,
  priority      INTEGER NOT NULL,
  pinned        INTEGER NOT NULL DEFAULT 0,
  shared        INTEGER NOT NULL DEFAULT 0,
  missing       INTEGER NOT NULL DEFAULT 0,
  poster        INTEGER NOT NULL DEFAULT 0,
  preview       INTEGER NOT NULL DEFAULT 0,
  deleted_at_ms INTEGER,
  -- On how many days the launcher saw the clip in the trash, and the last of them, in days since 1970. So a clock that is wrong
  -- once does not empty the trash.
  bin_days      INTEGER NOT NULL DEFAULT 0,
  bin_day       INTEGER,
  -- The id of the clip that this one was trimmed from. That clip may be gone.
  trimmed_from  TEXT,
  -- The events of that clip that lie in this one, as JSON, each as in clip_moment. They stay in that clip: an event is in one clip
  -- at most.
  part_moments  TEXT,
  -- The parts of a reel as JSON, each with its clip, title and range. A reel also has part_moments, each with its place in the file.
  reel          TEXT
) STRICT;
CREATE INDEX clip_pending ON clip (state) WHERE state = 'pending';
CREATE INDEX clip_by_length ON clip (duration_ms);
CREATE INDEX clip_by_bytes ON clip (bytes);
CREATE INDEX clip_by_rank ON clip (pinned, priority);
CREATE INDEX clip_by_title ON clip (title COLLATE NOCASE, seq DESC);

-- A row is an event in a clip. An event is in at most one clip.
CREATE TABLE clip_moment (
  event     TEXT PRIMARY KEY,
  event_seq INTEGER NOT NULL,
  clip_seq  INTEGER NOT NULL REFERENCES clip (seq) ON DELETE CASCADE,
  kind      TEXT NOT NULL,
  event_id  TEXT,
  label     TEXT NOT NULL,
  at_ms     INTEGER NOT NULL,
  -- The priority of its rule: the moment with the highest one names the clip.
  priority  INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX moments_of_clip ON clip_moment (clip_seq);

-- A row is a tag that a person gave a clip.
CREATE TABLE clip_tag (
  clip_seq INTEGER NOT NULL REFERENCES clip (seq) ON DELETE CASCADE,
  -- The tag in small letters, in every alphabet: two tags that differ in case only are one.
  key TEXT NOT NULL,
  tag TEXT NOT NULL,
  PRIMARY KEY (clip_seq, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX clip_tag_by_key ON clip_tag (key);

-- A row is the searchable text of one clip: title, tags and events. The triggers below write it.
CREATE VIRTUAL TABLE clip_text USING fts5 (words, tokenize = 'trigram');
-- Computes that text: at most 4,000 characters, with up to 100 different events.
CREATE VIEW clip_words AS
  SELECT seq, substr(concat_ws(char(10), title,
    (SELECT group_concat(tag, char(10)) FROM clip_tag WHERE clip_seq = seq),
    (SELECT group_concat(concat_ws(char(10), label, event_id), char(10))
      FROM (SELECT DISTINCT label, event_id FROM clip_moment WHERE clip_seq = seq LIMIT 100)),
    (SELECT group_concat(concat_ws(char(10), value ->> 4, value ->> 3), char(10)) FROM json_each(part_moments))), 1, 4000) AS words
  FROM clip;

CREATE TRIGGER clip_made AFTER INSERT ON clip BEGIN
  INSERT INTO clip_text (rowid, words) SELECT seq, words FROM clip_words WHERE seq = NEW.seq;
END;
CREATE TRIGGER clip_renamed AFTER UPDATE OF title ON clip WHEN NEW.title IS NOT OLD.title BEGIN
  DELETE FROM clip_text WHERE rowid = NEW.seq;
  INSERT INTO clip_text (rowid, words) SELECT seq, words FROM clip_words WHERE seq = NEW.seq;
END;
CREATE TRIGGER clip_gone AFTER DELETE ON clip BEGIN
  DELETE FROM clip_text WHERE rowid = OLD.seq;
END;
-- Updates the text only for the first of several equal moments.
CREATE TRIGGER clip_moment_made AFTER INSERT ON clip_moment
WHEN NOT EXISTS (SELECT 1 FROM clip_moment AS other WHERE other.clip_seq = NEW.clip_seq AND other.event <> NEW.event
  AND other.label = NEW.label AND other.event_id IS NEW.event_id) BEGIN
  DELETE FROM clip_text WHERE rowid = NEW.clip_seq;
  INSERT INTO clip_text (rowid, words) SELECT seq, words FROM clip_words WHERE seq = NEW.clip_seq;
END;
CREATE TRIGGER clip_moment_moved AFTER UPDATE OF clip_seq ON clip_moment BEGIN
  DELETE FROM clip_text WHERE rowid IN (OLD.clip_seq, NEW.clip_seq);
  INSERT INTO clip_text (rowid, words) SELECT seq, words FROM clip_words WHERE seq IN (OLD.clip_seq, NEW.clip_seq);
END;
CREATE TRIGGER clip_moment_gone AFTER DELETE ON clip_moment
WHEN EXISTS (SELECT 1 FROM clip WHERE seq = OLD.clip_seq) BEGIN
  DELETE FROM clip_text WHERE rowid = OLD.clip_seq;
  INSERT INTO clip_text (rowid, words) SELECT seq, words FROM clip_words WHERE seq = OLD.clip_seq;
END;
CREATE TRIGGER clip_tag_made AFTER INSERT ON clip_tag BEGIN
  DELETE FROM clip_text WHERE rowid = NEW.clip_seq;
  INSERT INTO clip_text (rowid, words) SELECT seq, words FROM clip_words WHERE seq = NEW.clip_seq;
END;
CREATE TRIGGER clip_tag_gone AFTER DELETE ON clip_tag
WHEN EXISTS (SELECT 1 FROM clip WHERE seq = OLD.clip_seq) BEGIN
  DELETE FROM clip_text WHERE rowid = OLD.clip_seq;
  INSERT INTO clip_text (rowid, words) SELECT seq, words FROM clip_words WHERE seq = OLD.clip_seq;
END;
