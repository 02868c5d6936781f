-- Reports of each issue in the table of the collector's ClickHouse exporter, which keeps what arrives twice.
SELECT fingerprint, sum(reports) AS reports
FROM (SELECT LogAttributes['kit.fingerprint'] AS fingerprint, any(toUInt64(LogAttributes['kit.reports'])) AS reports
      FROM otel_logs WHERE ScopeName = 'kit' AND LogAttributes['kit.news'] != 'test'
      GROUP BY fingerprint, LogAttributes['log.record.uid'])
GROUP BY fingerprint ORDER BY reports DESC;
