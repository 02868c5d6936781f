-- Issues at scale: search by index, lists that are filtered inside their index, and what it takes to hold them within bounds.

-- Which issues have which three characters in a row, in any case. Not where: what was found is read again to be sure, and the
-- index is a quarter of the size. Kept by the triggers below.
CREATE VIRTUAL TABLE issue_text USING fts5 (
  title, place, note, game, content = '', contentless_delete = 1, tokenize = 'trigram', detail = none);

-- How much there is, in one row, so that nobody has to count. Bytes are those on disk with all indices, about.
CREATE TABLE issue_size (
  only          INTEGER PRIMARY KEY CHECK (only = 1),
  issues        INTEGER NOT NULL,
  bytes         INTEGER NOT NULL,
  -- Of the reports that are kept whole, as they are: a part of the above.
  sample_bytes  INTEGER NOT NULL
) STRICT;

-- What went to make room, by the game it was of ('' is unsorted).
CREATE TABLE issue_forgotten (
  game     TEXT PRIMARY KEY,
  issues   INTEGER NOT NULL,
  reports  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The filters of a list stand in the index it walks.
DROP INDEX issue_by_last_seen;
DROP INDEX issue_by_first_seen;
DROP INDEX issue_by_count;
CREATE INDEX issue_by_last_seen ON issue (listed, last_seen_ms, seq, state, game);
CREATE INDEX issue_by_first_seen ON issue (listed, first_seen_ms, seq, state, game);
CREATE INDEX issue_by_count ON issue (listed, count, seq, state, game);
CREATE INDEX issue_by_game ON issue (listed, game, state, last_seen_ms);
CREATE INDEX issue_in_bin ON issue (deleted_at_ms) WHERE deleted_at_ms IS NOT NULL;
CREATE INDEX issue_waking ON issue (muted_until_ms) WHERE state = 'muted' AND muted_until_ms IS NOT NULL;

INSERT INTO issue_text (rowid, title, place, note, game)
  SELECT seq, title, coalesce(culprit ->> 'function', '') || ' ' || coalesce(culprit ->> 'file', ''), note, game FROM issue;
INSERT INTO issue_size
  SELECT 1, (SELECT count(*) FROM issue),
    (SELECT coalesce(sum(600 + 2 * octet_length(title || coalesce(culprit, ''))), 0) FROM issue)
      + (SELECT count(*) * 48 FROM issue_count) + (SELECT coalesce(sum(bytes + 180), 0) FROM issue_sample),
    (SELECT coalesce(sum(bytes), 0) FROM issue_sample);

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
