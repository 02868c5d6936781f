// The details of a refused request: its invalid fields, body and facts.
import { type FieldError, fieldName, problemsByCode, type Refusal } from "@kit/contract";
import { Badge } from "@radix-ui/themes";
import { t, translateFieldError, translateMessage } from "../../language/language.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { KindLabel, Time } from "../../ui/labels.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { Fact, Section } from "../../ui/section.tsx";
import { visibleText } from "../../ui/visible-text.ts";

const titles: Readonly<Record<string, { title: string }>> = problemsByCode;

export function RefusalDetails({ refusal }: { refusal: Refusal }) {
  return (
    <>
      <header className="stack tight">
        <p className="cluster">
          <KindLabel kind="refused" />
          <Badge color="ruby" variant="soft">
            {refusal.status}
          </Badge>
          <code className="code quiet">{visibleText(refusal.code)}</code>
        </p>
        <h2 className="details-title">{titles[refusal.code]?.title ?? t("The request was refused")}</h2>
        {/* The errors of the fields, if there are any, say the same as the detail. */}
        {refusal.errors.length === 0 && (
          <p className="quiet">
            <bdi>{visibleText(translateMessage(refusal.detail))}</bdi>
          </p>
        )}
      </header>
      {refusal.errors.length > 0 && <ExpectedSection errors={refusal.errors} />}
      {refusal.body !== null && (
        <Section title={t("Request body")} end={<CopyButton text={refusal.body} label={t("Copy the request body")} />}>
          <LongText text={refusal.body} label={t("Request body")} />
        </Section>
      )}
      <FactsSection refusal={refusal} />
      <p className="small quiet details-foot">{t("Kit keeps refused requests only until it exits.")}</p>
    </>
  );
}

function ExpectedSection({ errors }: { errors: readonly FieldError[] }) {
  return (
    <Section title={t("Expected values")}>
      <dl className="facts broken-members">
        {errors.map((error) => (
          <div key={`${error.path} ${error.message}`}>
            <dt>
              <code className="member">{visibleText(fieldName(error.path))}</code>
            </dt>
            <dd>
              <bdi>{visibleText(translateFieldError(error))}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function FactsSection({ refusal }: { refusal: Refusal }) {
  const json = JSON.stringify(refusal, null, 2);
  return (
    <Section
      title={t("Facts")}
      end={<CopyButton text={json} label={t("Copy the refused request as JSON")} shows={t("Copy JSON")} />}
    >
      <dl className="facts">
        <Fact name={t("Request")}>
          {visibleText(refusal.method)} {visibleText(refusal.path)}
        </Fact>
        <Fact name={t("Arrived")}>
          <Time at={refusal.at} date />
        </Fact>
        <Fact name={t("Sent by")}>
          {refusal.client === null ? t("A program that did not identify itself") : visibleText(refusal.client)}
        </Fact>
        <Fact name={t("Web page")}>{refusal.origin === null ? t("None") : visibleText(refusal.origin)}</Fact>
      </dl>
    </Section>
  );
}
