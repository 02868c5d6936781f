-- What a person files clips under, which clip another is a part of, and the orders a list can have.
CREATE TABLE clip_tag (
  clip_seq INTEGER NOT NULL REFERENCES clip (seq) ON DELETE CASCADE,
  -- The tag in small letters, of every alphabet: two that differ in case only are one.
  key TEXT NOT NULL,
  tag TEXT NOT NULL,
  PRIMARY KEY (clip_seq, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX clip_tag_by_key ON clip_tag (key);

-- Id of the clip it was trimmed from; that one may be gone.
ALTER TABLE clip ADD COLUMN trimmed_from TEXT;
-- The events of that one that lie in it, as JSON, each as in clip_moment: an event is in one clip at most there, and stays in the first.
ALTER TABLE clip ADD COLUMN part_moments TEXT;

CREATE INDEX clip_by_length ON clip (duration_ms);
CREATE INDEX clip_by_bytes ON clip (bytes);
CREATE INDEX clip_by_priority ON clip (priority);
CREATE INDEX clip_by_title ON clip (title COLLATE NOCASE, seq DESC);

-- What a search finds a clip by: title, tags, events. Kept by the triggers below, from the first 4,000 characters and 100 kinds of events.
CREATE VIRTUAL TABLE clip_text USING fts5 (words, tokenize = 'trigram');
CREATE VIEW clip_words AS
  SELECT seq, substr(concat_ws(char(10), title,
    (SELECT group_concat(tag, char(10)) FROM clip_tag WHERE clip_seq = seq),
    (SELECT group_concat(concat_ws(char(10), label, event_id), char(10))
      FROM (SELECT DISTINCT label, event_id FROM clip_moment WHERE clip_seq = seq LIMIT 100)),
    (SELECT group_concat(concat_ws(char(10), value ->> 4, value ->> 3), char(10)) FROM json_each(part_moments))), 1, 4000) AS words
  FROM clip;
INSERT INTO clip_text (rowid, words) SELECT seq, words FROM clip_words;

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
-- Of a thousand moments of one kind only the first is news.
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
