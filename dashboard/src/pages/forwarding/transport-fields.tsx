// The fields that say how a server is contacted, and a field of several lines.
import { Checkbox, Text, TextArea } from "@radix-ui/themes";
import { t } from "../../language/language.ts";
import { FieldRow } from "../../ui/fields.tsx";

export type TransportInput = { readonly withoutTls: boolean; readonly certificate: string };

/** Returns how the server is contacted, as the API takes it. */
export const transportOf = ({ withoutTls, certificate }: TransportInput) => ({
  ...(withoutTls && { withoutTls }),
  ...(certificate.trim() !== "" && { certificate: certificate.trim() }),
});

type LinesFieldProps = { label: string; hint: string; value: string; onChange: (value: string) => void };

/** A field of several lines that the browser neither completes nor corrects. */
export function LinesField({ label, hint: help, value, onChange }: LinesFieldProps) {
  return (
    <FieldRow label={label} hint={help}>
      {({ field, hint }) => (
        <TextArea
          id={field}
          aria-describedby={hint}
          autoComplete="off"
          spellCheck={false}
          rows={2}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FieldRow>
  );
}

type Props = { typed: TransportInput; onChange: (typed: TransportInput) => void };

export function TransportFields({ typed: { withoutTls, certificate }, onChange }: Props) {
  return (
    <details>
      <summary>{t("A server in the local network")}</summary>
      <div className="stack">
        <Text as="label" size="2" className="with-icon">
          <Checkbox
            checked={withoutTls}
            onCheckedChange={(checked) => onChange({ withoutTls: checked === true, certificate })}
          />
          {t(
            "Without TLS: allow http:// to a private address. Others in the network can read the reports and the key.",
          )}
        </Text>
        <LinesField
          label={t("Certificate of your own authority")}
          hint={t("In PEM form, if the server's certificate is not from a public authority.")}
          value={certificate}
          onChange={(value) => onChange({ withoutTls, certificate: value })}
        />
      </div>
    </details>
  );
}
