// What the Posts page shows without posts: the steps to the first one.
import { networks } from "@kit/contract";
import { useAccounts } from "../../api/use-accounts.ts";
import { usePostRules } from "../../api/use-post-rules.ts";
import { locale, t } from "../../language/language.ts";
import { accountsAddress, postRulesAddress } from "../../ui/address.ts";
import { CommandLine } from "../../ui/command-line.tsx";
import { Empty } from "../../ui/empty.tsx";
import { networkLabel } from "../../ui/posts/post-text.ts";

const fireCommand = "npx kit fire social mygame_boss_defeated";

const networkList = () =>
  new Intl.ListFormat(locale() ?? "en-GB", { type: "disjunction" }).format(
    networks.map((each) => networkLabel(each).says),
  );

export function NoPosts() {
  const accounts = useAccounts().data?.accounts.length;
  const rules = usePostRules().data?.rules.length;
  if (accounts === undefined || rules === undefined) return null;
  return (
    <Empty title={t("No posts yet")} isNew>
      <p>{t("When a game reports a moment worth sharing, a draft with its clip waits here for you.")}</p>
      <ol className="steps first-steps">
        <FirstStep done={accounts > 0} says={t("Connect an account")} href={accountsAddress}>
          {t("Where posts go: {{networks}}.", { networks: networkList() })}
        </FirstStep>
        <FirstStep done={rules > 0} says={t("Write a rule for an event")} href={postRulesAddress()}>
          {t("Write the text once. From then on, each matching event makes a draft.")}
        </FirstStep>
      </ol>
      <p>{t("Then play, or send a test event from a terminal:")}</p>
      <CommandLine command={fireCommand} />
    </Empty>
  );
}

type StepProps = { done: boolean; says: string; href: string; children: string };

function FirstStep({ done, says, href, children }: StepProps) {
  return (
    <li data-done={done}>
      <div>
        <a href={href}>{says}</a>
        {done && <span className="unseen"> {t("(done)")}</span>}
        <p className="quiet">{children}</p>
      </div>
    </li>
  );
}
