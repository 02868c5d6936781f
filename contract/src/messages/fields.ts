// Sentences about invalid fields, and templates that join other sentences.

export const fieldMessages = {
  "error.other": "{{text}}",
  "field.expected": "expected {{what}}",
  "field.expected_between": "expected {{what}}, from {{least}} to {{most}}",
  "field.expected_object": "expected a JSON object ({{problem}})",
  "field.expected_one_of": "expected one of {{values}}",
  "field.expected_value": "expected a value",
  "field.invalid": "{{field}} {{problem}}.",
  "field.missing": "is missing: {{expected}}",
  "field.no_query": "is unknown: the operation has no query parameters",
  "field.other": "{{problem}}",
  "field.several": "{{problems}}.",
  "field.unknown": "is unknown: expected one of {{known}}",
  "field.unknown_meant": "is unknown: did you mean {{meant}}?",
  "join.clauses": "{{first}}; {{second}}",
  "join.phrases": "{{first}}, {{second}}",
  "join.reason": "{{what}}: {{why}}",
  "join.sentences": "{{first}} {{second}}",
} as const;
