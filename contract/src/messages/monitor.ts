// Sentences about issues, alerts and forwarding.

export const monitorMessages = {
  "issue.grouped": "issue {{issue}}: {{title}}",
} as const;
