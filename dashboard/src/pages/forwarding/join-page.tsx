// The page of a studio's invitation: who asks for what, a switch for each part, and a button to agree.
import {
  decodeInvitation,
  type ForwardTarget,
  hasForeignLetters,
  type Invitation,
  invitationAsks,
} from "@kit/contract";
import { Button, Switch } from "@radix-ui/themes";
import { useState } from "react";
import { useAcceptInvitation, useForwardingTargetActions, useInvitationCheck } from "../../api/use-forwarding.ts";
import { t } from "../../language/language.ts";
import { forwardingAddress } from "../../ui/address.ts";
import { ErrorText } from "../../ui/error-text.tsx";
import { FieldRow } from "../../ui/fields.tsx";
import { Icon } from "../../ui/icon.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { gameName } from "../../ui/names.ts";
import { Page, useTitle } from "../../ui/page.tsx";
import { Fact } from "../../ui/section.tsx";
import { visibleLine } from "../../ui/visible-text.ts";
import { TargetBucket } from "./target-bucket.tsx";
import { ConsentFacts, switchText } from "./target-history.tsx";
import { targetKindText } from "./target-text.ts";

export function JoinPage({ code }: { code: string }) {
  const invitation = decodeInvitation(code);
  const check = useInvitationCheck(invitation);
  useTitle(t("Invitation · Kit"));
  return (
    <Page column="medium">
      {invitation === undefined ? (
        <div className="empty" role="alert">
          <h1>{t("This is not an invitation")}</h1>
          <p>{t("The link is incomplete. Ask for it again, and copy it as a whole.")}</p>
        </div>
      ) : check.data === undefined ? (
        <div className="stack">
          <h1>{t("Invitation")}</h1>
          <ErrorText error={check.error} />
          {check.error && (
            <p>{t("Nothing was sent. If the invitation is refused, ask the studio for another link.")}</p>
          )}
        </div>
      ) : (
        <Offer invitation={invitation} {...check.data} />
      )}
    </Page>
  );
}

type Ask = (typeof invitationAsks)[number];

export function askText(ask: Ask): { label: string; hint: string } {
  switch (ask) {
    case "earlierEvents":
      return {
        label: switchText(ask),
        hint: t("Up to 20 events that the game sent before the error, so that its developers see what led to it."),
      };
    case "installation":
      return {
        label: switchText(ask),
        hint: t("Made for this server only, so that it can count how many computers have an error."),
      };
    case "videos":
      return {
        label: switchText(ask),
        hint: t(
          "The clip that shows the error, with sound and without your microphone: usually the 20 seconds before it, but the whole clip if other moments share it. Kit cannot remove anything from a video. It shows the game, or your whole screen where Kit records that.",
        ),
      };
  }
}

type OfferProps = { invitation: Invitation } & NonNullable<ReturnType<typeof useInvitationCheck>["data"]>;

function Offer({ invitation, host, project, bucketHost, target }: OfferProps) {
  const accept = useAcceptInvitation();
  const [reports, setReports] = useState(target?.enabled ?? false);
  const [chosen, setChosen] = useState({
    earlierEvents: target?.earlierEvents ?? false,
    installation: (target?.installation ?? null) !== null,
    videos: target?.videos ?? false,
  });
  const studio = visibleLine(invitation.studio, 80);
  const asks = invitationAsks.filter((ask) => invitation.asks.includes(ask));
  const isAccepted = (ask: Ask) => asks.includes(ask) && chosen[ask];
  const submit = () =>
    accept.mutate({
      invitation,
      reports,
      earlierEvents: isAccepted("earlierEvents"),
      installation: isAccepted("installation"),
      videos: isAccepted("videos"),
    });
  if (accept.data !== undefined) return <Decided host={host} target={accept.data} />;
  return (
    <div className="stack">
      <h1>{t("{{studio}} asks for error reports", { studio })}</h1>
      {target !== null && <p>{t("You agreed to an invitation of this server before. You can change what is sent.")}</p>}
      {invitation.text !== "" && <LongText text={invitation.text} label={t("What {{studio}} writes", { studio })} />}
      <dl className="facts">
        <Fact name={t("Server")}>{host}</Fact>
        {project !== null && <Fact name={t("Project")}>{visibleLine(project, 30)}</Fact>}
        {invitation.bucket !== undefined && (
          <Fact name={t("Bucket for videos")}>
            {t("{{bucket}} at {{host}}", {
              bucket: visibleLine(`${invitation.bucket.name}/${invitation.bucket.prefix}`, 300),
              host: bucketHost,
            })}
          </Fact>
        )}
        <Fact name={t("Kind")}>{targetKindText(invitation.kind)}</Fact>
        <Fact name={t("Reports from")}>
          {invitation.game === null ? t("All games") : gameName(invitation.game, 100)}
        </Fact>
        <ConsentFacts consent={target?.consent ?? null} />
      </dl>
      <p>{t("Only the server's address is certain: anybody can write any studio's name into a link.")}</p>
      {(hasForeignLetters(host) || hasForeignLetters(bucketHost ?? "")) && (
        <p className="with-icon">
          <Icon name="warning" size={14} />
          {t("The name of a server contains letters that can look like others. Ask the studio whether it is theirs.")}
        </p>
      )}
      {invitation.withoutTls === true && (
        <p className="with-icon">
          <Icon name="warning" size={14} />
          {t("What Kit sends is not encrypted: others in the network can read it.")}
        </p>
      )}
      {invitation.certificate !== undefined && (
        <p className="with-icon">
          <Icon name="warning" size={14} />
          {t("This invitation contains a certificate. Kit trusts it only for the servers of this invitation.")}
        </p>
      )}
      <p>
        {t("Kit sends nothing until you agree, and then only what you switch on. You can change this at any time.")}
      </p>
      <Choice
        label={switchText("reports")}
        hint={t(
          "The message and the place in the code of each error, and how often it happened. Home folders, the names of the account and the computer, email and network addresses, and keys are removed first. The server sees the network address that this computer sends from.",
        )}
        on={reports}
        onChange={setReports}
      />
      {asks.map((ask) => (
        <Choice
          key={ask}
          {...askText(ask)}
          on={chosen[ask]}
          onChange={(on) => setChosen((before) => ({ ...before, [ask]: on }))}
        />
      ))}
      {invitation.bucket !== undefined && (
        <p className="quiet">
          {t(
            "Kit uploads videos to the bucket, and the server gets a link to each. Everybody who has the link can watch that video for 7 days. Kit asks you for the keys of the bucket, which the studio gives you.",
          )}
        </p>
      )}
      <ErrorText error={accept.error} />
      <div className="cluster tight">
        <Button disabled={(target === null && !reports) || accept.isPending} onClick={submit}>
          {target === null ? t("Agree and send") : t("Save")}
        </Button>
        <Button variant="soft" color="gray" asChild>
          <a href={forwardingAddress}>{t("Not now")}</a>
        </Button>
      </div>
      {!reports && <p className="quiet">{t("While error reports are off, Kit sends nothing to this server.")}</p>}
    </div>
  );
}

type ChoiceProps = { label: string; hint: string; on: boolean; onChange: (on: boolean) => void };

function Choice({ label, hint: help, on, onChange }: ChoiceProps) {
  return (
    <FieldRow label={label} hint={help}>
      {({ field, hint }) => <Switch id={field} aria-describedby={hint} checked={on} onCheckedChange={onChange} />}
    </FieldRow>
  );
}

function Decided({ host, target: accepted }: { host: string; target: ForwardTarget }) {
  const { change } = useForwardingTargetActions(accepted.id);
  const target = change.data ?? accepted;
  const isOn = accepted.enabled;
  const wantsKeys = isOn && accepted.videos && accepted.bucket?.hasKeys === false;
  return (
    <div className="stack" role="status">
      <h1>{isOn ? t("Thank you") : t("Switched off")}</h1>
      <p>
        {isOn
          ? t("From now on, Kit sends error reports to {{host}}.", { host })
          : t("Kit no longer sends anything to {{host}}.", { host })}
      </p>
      {wantsKeys && (
        <>
          {target.bucket?.hasKeys === false && <p>{t("No video is sent before you enter the keys of the bucket.")}</p>}
          <ErrorText error={change.error} />
          <TargetBucket target={target} change={change} isOpen />
        </>
      )}
      <p>
        <a href={forwardingAddress}>{t("See what was sent, or switch it off")}</a>
      </p>
    </div>
  );
}
