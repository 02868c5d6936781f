// What a person is asked for, and where they find it, in the page's language. The contract has the English for every program.
import type { AccountField, Network } from "@kit/contract";
import { t } from "../../language/language.ts";

type Words = Pick<AccountField, "label" | "help">;

/** By network and name of the field. */
const words = (): Readonly<Record<string, Words>> => ({
  "discord url": {
    label: t("Webhook URL"),
    help: t("In Discord: the channel's settings, Integrations, Webhooks, New Webhook, Copy Webhook URL."),
  },
  "bluesky handle": { label: t("Handle"), help: t("The name your account has, without the @.") },
  "bluesky password": {
    label: t("App password"),
    help: t("In Bluesky: Settings, Privacy and security, App passwords. Never your own password."),
  },
  "bluesky service": {
    label: t("Server"),
    help: t("Only for an account that does not lie with Bluesky itself."),
  },
  "mastodon server": { label: t("Server"), help: t("Where you sign in.") },
  "mastodon token": {
    label: t("Access token"),
    help: t(
      "On your server: Preferences, Development, New application, with the scopes read:accounts, write:media and write:statuses; then the page of that application shows it.",
    ),
  },
  "webhook url": {
    label: t("Address"),
    help: t("It gets each post as JSON; plain http only for a server on this machine."),
  },
  "webhook secret": {
    label: t("Signing secret"),
    help: t("As Standard Webhooks has them: whsec_ and base64. Without one the launcher makes one and shows it once."),
  },
});

/** A field of a newer launcher has no words here; its own will do. */
export const fieldWords = (network: Network, field: AccountField): Words =>
  words()[`${network} ${field.name}`] ?? field;
