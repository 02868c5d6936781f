// What people read about each network, and what they enter to connect an account. In the order of lists.
export const describedNetworks = {
  discord: {
    name: "Discord",
    about: "A channel, through its webhook",
    icon: "M2 3h12v8H8.2L5 13.8V11H2V3Z M5.7 7v.1 M10.3 7v.1",
    fields: [
      {
        name: "url",
        label: "Webhook URL",
        help: "In Discord: the channel's settings, Integrations, Webhooks, New Webhook, Copy Webhook URL.",
        example: "https://discord.com/api/webhooks/…",
        secret: true,
      },
    ],
    exportBytesMax: 20971520,
  },
  bluesky: {
    name: "Bluesky",
    about: "An account, with an app password",
    icon: "M8 7.4C6.6 4.8 4.2 3 2.6 2.8c-.9-.1-1 .8-.8 2.4.3 2.4 1 3.4 3 3.5-2 .2-2.2 1.8-.6 3.2 1.7 1.4 3 .4 3.8-2 .8 2.4 2.1 3.4 3.8 2 1.6-1.4 1.4-3-.6-3.2 2-.1 2.7-1.1 3-3.5.2-1.6.1-2.5-.8-2.4C11.8 3 9.4 4.8 8 7.4Z",
    fields: [
      {
        name: "handle",
        label: "Handle",
        help: "Your account's name, without the @.",
        example: "mika.bsky.social",
        secret: false,
      },
      {
        name: "password",
        label: "App password",
        help: "In Bluesky: Settings, Privacy and security, App passwords. Do not enter your account's own password.",
        example: "xxxx-xxxx-xxxx-xxxx",
        secret: true,
      },
      {
        name: "service",
        label: "Server",
        help: "Only for an account on a server other than Bluesky's own.",
        example: "https://bsky.social",
        secret: false,
        optional: true,
      },
    ],
    exportBytesMax: 100000000,
  },
  mastodon: {
    name: "Mastodon",
    about: "An account on any server",
    icon: "M12.6 9.8c1-.8 1.4-2 1.4-3.3C14 3.5 11.6 2 8 2S2 3.5 2 6.5c0 4.5 1.3 7.2 5.4 7.5 1.4.1 2.6-.2 3.2-.6v-1.3c-3 .8-4.8.2-5-1.5 2.4.6 5.5.5 7-.8Z M5.2 8.3V6.6c0-2 2.5-2 2.8-.2.3-1.8 2.8-1.8 2.8.2v1.7",
    fields: [
      {
        name: "server",
        label: "Server",
        help: "The server where you sign in.",
        example: "https://mastodon.social",
        secret: false,
      },
      {
        name: "token",
        label: "Access token",
        help: "On your server: Preferences, Development, New application, with the scopes read:accounts, write:media and write:statuses. The application's page then shows the token.",
        example: "",
        secret: true,
      },
    ],
    exportBytesMax: 103809024,
  },
  webhook: {
    name: "Webhook",
    title: "the webhook",
    about: "Any URL of yours, as JSON",
    icon: "M6.2 6.8 4 10.6 M9.7 5.3l2.3 4 M6.4 11.5H11 M4 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4Z M12 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4Z M8 5.9a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4Z",
    fields: [
      {
        name: "url",
        label: "Address",
        help: "Receives each post as JSON. Plain http works only for a server on this computer.",
        example: "https://example.com/posts",
        secret: true,
      },
      {
        name: "secret",
        label: "Signing secret",
        help: "In the Standard Webhooks format: whsec_ followed by base64. If you leave it empty, the launcher creates a secret and shows it once.",
        example: "whsec_…",
        secret: true,
        optional: true,
      },
    ],
    testSays: "The webhook received a test message.",
  },
} as const;
