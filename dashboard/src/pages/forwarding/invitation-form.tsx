// The form with which a studio makes an invitation for its testers: a link to copy, and a file for chats that cut long links.
import {
  defaultPort,
  type ForwardKind,
  type Invitation,
  invitationAsks,
  invitationLink,
  invitationTextMax,
} from "@kit/contract";
import { Button, Checkbox, Text, TextArea, TextField } from "@radix-ui/themes";
import { type FormEvent, useState } from "react";
import { useInvitationMaker } from "../../api/use-forwarding.ts";
import { t } from "../../language/language.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { downloadJson } from "../../ui/download-json.ts";
import { FieldRow, Select } from "../../ui/fields.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { visibleLine } from "../../ui/visible-text.ts";
import { askText } from "./join-page.tsx";
import { BucketFields, emptyBucket } from "./target-bucket.tsx";
import { AddressFields, emptyAddressInput, GameRow } from "./target-card.tsx";
import { targetKindChoices } from "./target-text.ts";
import { transportOf } from "./transport-fields.tsx";

/** What a server takes besides error reports. */
const asksOf = (kind: ForwardKind, hasBucket: boolean) =>
  invitationAsks.filter((ask) => kind === "sentry" || ask === "installation" || (ask === "videos" && hasBucket));

export function InvitationSection() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{t("Invite testers")}</summary>
      {isOpen && <InvitationForm />}
    </details>
  );
}

function InvitationForm() {
  const [kind, setKind] = useState<ForwardKind>("sentry");
  const [typed, setTyped] = useState({ studio: "", text: "", environment: "" });
  const [server, setServer] = useState(emptyAddressInput);
  const [game, setGame] = useState<string>();
  const [leftOut, setLeftOut] = useState<Invitation["asks"]>([]);
  const [bucket, setBucket] = useState(emptyBucket);
  const hasBucket = bucket.endpoint.trim() !== "" || bucket.name.trim() !== "";
  const made = useInvitationMaker();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    made.mutate({
      version: 1,
      studio: typed.studio.trim(),
      text: typed.text.trim(),
      kind,
      address: server.address.trim(),
      game: game ?? null,
      environment: typed.environment.trim() || null,
      asks: asksOf(kind, hasBucket).filter((ask) => !leftOut.includes(ask)),
      ...(hasBucket && { bucket: { ...bucket, endpoint: bucket.endpoint.trim() } }),
      ...transportOf(server),
    });
  };
  const textField = (name: "studio" | "environment", charsMax: number) => (ids: { field: string; hint: string }) => (
    <TextField.Root
      id={ids.field}
      aria-describedby={ids.hint}
      autoComplete="off"
      maxLength={charsMax}
      required={name === "studio"}
      value={typed[name]}
      onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
    />
  );
  return (
    // A link is shown only as long as it says what the form says.
    <form className="stack" aria-label={t("Invite testers")} onSubmit={submit} onChange={made.reset}>
      <p>
        {t(
          "Makes a link for your testers. It opens their own Kit, which shows them who asks for what. Nothing is sent until they agree.",
        )}
      </p>
      <FieldRow label={t("Who asks")} hint={t("Your studio, as testers know it.")}>
        {textField("studio", 80)}
      </FieldRow>
      <FieldRow label={t("Your words")} hint={t("What for, how long it is kept, and whom to ask.")}>
        {({ field, hint }) => (
          <TextArea
            id={field}
            aria-describedby={hint}
            rows={3}
            maxLength={invitationTextMax}
            value={typed.text}
            onChange={(event) => setTyped({ ...typed, text: event.target.value })}
          />
        )}
      </FieldRow>
      <FieldRow label={t("Kind")}>
        {({ field }) => <Select id={field} choices={targetKindChoices()} value={kind} onChange={setKind} />}
      </FieldRow>
      <AddressFields kind={kind} typed={server} onChange={setServer} error={made.error?.message} isShared />
      <GameRow chosen={game} onChange={setGame} />
      <FieldRow
        label={t("Environment")}
        hint={t("For example playtest. Leave empty for none. No spaces or slashes, and not the word None.")}
      >
        {textField("environment", 64)}
      </FieldRow>
      <details>
        <summary>{t("Bucket for videos")}</summary>
        <div className="stack">
          <p className="small quiet">
            {t(
              "Videos of errors can go to an S3 bucket instead of the server. The link names it without its keys: give them to each tester in another way.",
            )}
          </p>
          <BucketFields typed={bucket} isNeeded={hasBucket} onChange={setBucket} />
        </div>
      </details>
      <fieldset className="stack tight">
        <legend>{t("Besides error reports, ask for")}</legend>
        {asksOf(kind, hasBucket).map((ask) => (
          <Text key={ask} as="label" size="2" className="with-icon">
            <Checkbox
              checked={!leftOut.includes(ask)}
              onCheckedChange={(on) => {
                made.reset();
                setLeftOut(on === true ? leftOut.filter((each) => each !== ask) : [...leftOut, ask]);
              }}
            />
            {ask === "installation" ? t("A random id of each computer") : askText(ask).label}
          </Text>
        ))}
      </fieldset>
      <div className="cluster tight">
        <Button type="submit" disabled={made.isPending}>
          {t("Make the link")}
        </Button>
      </div>
      {made.data && <Made {...made.data} />}
    </form>
  );
}

function Made({ invitation, host, project }: NonNullable<ReturnType<typeof useInvitationMaker>["data"]>) {
  const link = invitationLink(invitation, defaultPort);
  const where =
    project === null ? host : t("{{host}}, project {{project}}", { host, project: visibleLine(project, 30) });
  return (
    <div className="stack" role="status">
      <p>
        {t("Reports of testers who agree will go to {{where}}. Kit has not tried whether the server answers.", {
          where,
        })}
      </p>
      <LongText text={link} label={t("Link for testers")} />
      <div className="cluster tight">
        <CopyButton text={link} label={t("Copy link")} shows={t("Copy link")} size="2" />
        <Button
          type="button"
          variant="soft"
          color="gray"
          onClick={() => downloadJson("kit-invitation.json", JSON.stringify(invitation, null, 2))}
        >
          {t("Save as a file")}
        </Button>
      </div>
      <p className="quiet">
        {t(
          "The link opens Kit at its usual port, {{port}}. Anyone who runs Kit on another port, or gets the file because a chat cuts long links, can choose Open an invitation on the Forwarding page, or run kit join with the link or the file.",
          { port: defaultPort },
        )}
      </p>
    </div>
  );
}
