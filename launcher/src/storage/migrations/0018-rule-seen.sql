-- How often the events of each id came, and when last: counted in the commit that keeps the event, so that nobody has to look
-- through the journal, and what left it stays counted.
ALTER TABLE rule ADD COLUMN events INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rule ADD COLUMN last_seen_ms INTEGER;

-- Of an older launcher's as far as the journal has them.
UPDATE rule SET events = came.events, last_seen_ms = came.last_ms
FROM (
  SELECT kind, event_id, count(*) AS events, max(received_at_ms) AS last_ms
  FROM event WHERE event_id IS NOT NULL GROUP BY kind, event_id) AS came
WHERE rule.kind = came.kind AND rule.event_id = came.event_id;

CREATE TRIGGER event_came AFTER INSERT ON event WHEN NEW.event_id IS NOT NULL BEGIN
  UPDATE rule SET events = events + 1, last_seen_ms = NEW.received_at_ms
  WHERE kind = NEW.kind AND event_id = NEW.event_id;
END;
