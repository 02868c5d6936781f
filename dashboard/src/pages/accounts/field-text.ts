// Translated labels and help of account fields. Other programs use the contract's English.
import type { AccountField, Network } from "@kit/contract";
import { t } from "../../language/language.ts";

type FieldText = Pick<AccountField, "label" | "help">;

/** Keys are "network field". */
const translatedFields = (): Readonly<Record<string, FieldText>> => ({
  "discord url": {
    label: t("Webhook URL"),
    help: t("In Discord: the channel's settings, Integrations, Webhooks, New Webhook, Copy Webhook URL."),
  },
  "bluesky handle": { label: t("Handle"), help: t("Your account's name, without the @.") },
  "bluesky password": {
    label: t("App password"),
    help: t("In Bluesky: Settings, Privacy and security, App passwords. Do not enter your account's own password."),
  },
  "bluesky service": {
    label: t("Server"),
    help: t("Only for an account on a server other than Bluesky's own."),
  },
  "mastodon server": { label: t("Server"), help: t("The server where you sign in.") },
  "mastodon token": {
    label: t("Access token"),
    help: t(
      "On your server: Preferences, Development, New application, with the scopes read:accounts, write:media and write:statuses. The application's page then shows the token.",
    ),
  },
  "webhook url": {
    label: t("Address"),
    help: t("Receives each post as JSON. Plain http works only for a server on this computer."),
  },
  "webhook secret": {
    label: t("Signing secret"),
    help: t(
      "In the Standard Webhooks format: whsec_ followed by base64. If you leave it empty, the launcher creates a secret and shows it once.",
    ),
  },
});

/** Returns an unknown field's own text, which a newer launcher may send. */
export const fieldText = (network: Network, field: AccountField): FieldText =>
  translatedFields()[`${network} ${field.name}`] ?? field;
