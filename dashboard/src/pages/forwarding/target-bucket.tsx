// The bucket of a forwarding target: where its videos are uploaded, the keys, and a test.
import type { ForwardBucket, ForwardTarget } from "@kit/contract";
import { Button, Checkbox, Text, TextField } from "@radix-ui/themes";
import { type FormEvent, useState } from "react";
import { useForwardingBucketTest, type useForwardingTargetActions } from "../../api/use-forwarding.ts";
import { t } from "../../language/language.ts";
import { FieldRow } from "../../ui/fields.tsx";
import { TestResult } from "../../ui/test-result.tsx";
import { TransportFields, transportOf } from "./transport-fields.tsx";

type Props = {
  target: ForwardTarget;
  change: ReturnType<typeof useForwardingTargetActions>["change"];
  isOpen?: boolean;
};
type LineProps = {
  label: string;
  hint?: string;
  isSecret?: boolean;
  isNeeded?: boolean;
  value: string;
  onChange: (value: string) => void;
};

function LineField({ label, hint: help, isSecret = false, isNeeded = true, value, onChange }: LineProps) {
  return (
    <FieldRow label={label} hint={help}>
      {({ field, hint }) => (
        <TextField.Root
          id={field}
          aria-describedby={hint}
          type={isSecret ? "password" : "text"}
          autoComplete="off"
          spellCheck={false}
          required={isNeeded}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FieldRow>
  );
}

export const emptyBucket: ForwardBucket = { endpoint: "", region: "us-east-1", name: "", prefix: "", hostStyle: false };

type BucketFieldsProps = {
  typed: ForwardBucket;
  isNeeded?: boolean;
  onChange: (typed: ForwardBucket) => void;
};

/** The fields that say where a bucket is. */
export function BucketFields({ typed, isNeeded = true, onChange }: BucketFieldsProps) {
  const field = (name: "endpoint" | "region" | "name" | "prefix") => ({
    value: typed[name],
    onChange: (value: string) => onChange({ ...typed, [name]: value }),
  });
  return (
    <>
      <LineField
        label={t("Address of the store")}
        hint="https://s3.eu-central-1.amazonaws.com"
        isNeeded={isNeeded}
        {...field("endpoint")}
      />
      <LineField label={t("Region")} isNeeded={isNeeded} {...field("region")} />
      <LineField label={t("Bucket")} isNeeded={isNeeded} {...field("name")} />
      <LineField
        label={t("Prefix")}
        hint={t("For example playtest/. Leave empty for none.")}
        isNeeded={false}
        {...field("prefix")}
      />
      <Text as="label" size="2" className="with-icon">
        <Checkbox
          checked={typed.hostStyle}
          onCheckedChange={(checked) => onChange({ ...typed, hostStyle: checked === true })}
        />
        {t("The bucket is part of the host name")}
      </Text>
    </>
  );
}

const noKeys = { accessKey: "", secretKey: "" };
const noTransport = { withoutTls: false, certificate: "" };

export function TargetBucket({ target: { id, bucket }, change, isOpen = false }: Props) {
  const { hasKeys, ...place } = bucket ?? { ...emptyBucket, hasKeys: false };
  const test = useForwardingBucketTest(id);
  const [typed, setTyped] = useState({
    ...place,
    ...noKeys,
    ...noTransport,
  });
  const field = (name: "accessKey" | "secretKey") => ({
    value: typed[name],
    onChange: (value: string) => setTyped({ ...typed, [name]: value }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { accessKey, secretKey, withoutTls: _, certificate: __, ...settings } = typed;
    const keys =
      accessKey === "" && secretKey === "" ? {} : { accessKey: accessKey.trim(), secretKey: secretKey.trim() };
    change.mutate(
      { bucket: { ...settings, endpoint: settings.endpoint.trim(), ...keys, ...transportOf(typed) } },
      {
        onSuccess() {
          setTyped({ ...typed, ...noKeys });
          test.mutate();
        },
      },
    );
  };
  return (
    <details open={isOpen}>
      <summary>{t("Bucket for videos")}</summary>
      <form className="stack" aria-label={t("Bucket for videos")} onSubmit={submit}>
        <p className="small quiet">
          {t(
            "Kit uploads videos to an S3 bucket, then sends the report once more with a link. Everybody who has the link can watch that video for 7 days.",
          )}
        </p>
        <BucketFields typed={typed} onChange={(named) => setTyped({ ...typed, ...named })} />
        <LineField label={t("Access key")} isNeeded={!hasKeys} {...field("accessKey")} />
        <LineField
          label={t("Secret key")}
          hint={
            hasKeys
              ? t("Leave both keys empty to keep the saved ones.")
              : t("Kit stores the keys as secrets and never shows them again.")
          }
          isSecret
          isNeeded={!hasKeys}
          {...field("secretKey")}
        />
        <TransportFields typed={typed} onChange={(transport) => setTyped({ ...typed, ...transport })} />
        <div className="cluster tight">
          <Button type="submit" variant="soft" disabled={change.isPending || test.isPending}>
            {t("Save and test")}
          </Button>
          {bucket !== null && (
            <>
              <Button type="button" variant="soft" disabled={test.isPending} onClick={() => test.mutate()}>
                {test.isPending ? t("Testing") : t("Test")}
              </Button>
              <Button
                type="button"
                variant="soft"
                color="gray"
                disabled={change.isPending}
                onClick={() => change.mutate({ bucket: null })}
              >
                {t("Use no bucket")}
              </Button>
            </>
          )}
        </div>
        <TestResult test={test} />
      </form>
    </details>
  );
}
