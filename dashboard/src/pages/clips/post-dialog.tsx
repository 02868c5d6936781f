// The dialog that posts clips: one clip or a part of it with its text, or a post for each of several clips.
import {
  type Account,
  accountTakes,
  type Clip,
  createPost,
  type Post,
  type PostProposal,
  postTextCharsMax,
  proposePost,
  trimClip,
  undoPost,
} from "@kit/contract";
import { Button, TextArea } from "@radix-ui/themes";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { useClient } from "../../api/session.ts";
import { useAccounts, usePostSettings } from "../../api/use-posting.ts";
import { currentLanguage, t } from "../../language/language.ts";
import { accountsAddress, accountsForClipAddress, postsAddress } from "../../ui/address.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { FieldRow } from "../../ui/fields.tsx";
import { formatClock } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import type { TrimRange } from "../../ui/player/trim-range.ts";
import { AccountName, AltTextField, AudienceFields, PostPreviews } from "../../ui/posts/post-fields.tsx";
import { draftCountText, postCountText, postToasts } from "../../ui/posts/post-text.ts";
import { visibleLine } from "../../ui/visible-text.ts";
import type { ClipCommands } from "./use-clip-commands.ts";

type Props = {
  clips: readonly Clip[];
  /** Posts only this part of the only clip. */
  range?: TrimRange | undefined;
  commands: Pick<ClipCommands, "say">;
  onClose: () => void;
};

/** Fetches what a post of the clip would contain. */
function useProposal(clip: string) {
  const client = useClient();
  return useQuery({
    queryKey: ["posts", "proposal", clip],
    queryFn: () => client.call(proposePost, { params: { clip }, query: { language: currentLanguage() } }),
    retry: false,
    gcTime: 0,
  });
}

export function PostDialog(props: Props) {
  const { clips, onClose } = props;
  const title = useId();
  const accounts = useAccounts();
  const [first] = clips;
  const proposal = useProposal(first?.id ?? "");
  const enabled = (accounts.data?.accounts ?? []).filter(
    (account) => account.enabled && clips.every(({ game }) => accountTakes(account, game)),
  );
  const isReady = proposal.data !== undefined && accounts.data !== undefined;
  return (
    <Dialog className="panel roomy post-dialog" labelledBy={title} onClose={onClose}>
      <h2 id={title}>{dialogTitle(props)}</h2>
      <ErrorText error={proposal.error ?? accounts.error} />
      {isReady && enabled.length === 0 && <NoAccount {...props} />}
      {isReady && enabled.length > 0 ? (
        <PostForm {...props} proposal={proposal.data} accounts={enabled} />
      ) : (
        <div className="panel-end">
          <Button variant="soft" color="gray" onClick={onClose}>
            {t("Close")}
          </Button>
        </div>
      )}
    </Dialog>
  );
}

function dialogTitle({ clips, range }: Props): string {
  if (range !== undefined)
    return t("Post {{from}} to {{to}} of this clip", { from: formatClock(range.from), to: formatClock(range.to) });
  const count = clips.length;
  return t("Post {{count}} clips", { count, defaultValue_one: "Post this clip" });
}

function NoAccount({ clips: [clip, ...others] }: Props) {
  const address = clip === undefined || others.length > 0 ? accountsAddress : accountsForClipAddress(clip.id);
  return (
    <p>
      {t("No account is connected yet.")} <a href={address}>{t("Connect an account")}</a>
    </p>
  );
}

type Words = Pick<PostProposal, "text" | "altText" | "contentWarning" | "visibility">;
/** The words of a person; undefined if each clip keeps those of its own proposal. */
type Sending = { readonly accounts: string[]; readonly words: Words | undefined; readonly approve: boolean };

/**
 * Creates the posts, one after another. Rejects at the first one that the launcher refuses. Those before it exist, so the
 * next try goes on behind them.
 */
function useSend({ clips, range }: Props) {
  const client = useClient();
  const queryClient = useQueryClient();
  /** By the id of the clip. */
  const [made] = useState(() => new Map<string, Post>());
  const [cut] = useState(() => new Map<string, string>());
  const send = async ({ accounts, words, approve }: Sending): Promise<Post[]> => {
    try {
      for (const { id } of clips.filter((each) => !made.has(each.id))) {
        const clip = range === undefined ? id : (cut.get(id) ?? (await trimmed(id, range)));
        cut.set(id, clip);
        const body = { clip, accounts, approve, language: currentLanguage(), ...words };
        made.set(id, await client.call(createPost, { body }));
      }
      return [...made.values()];
    } finally {
      if (made.size > 0) void queryClient.invalidateQueries({ queryKey: ["posts"] });
    }
  };
  const trimmed = async (id: string, { from, to }: TrimRange) => {
    const body = { fromSeconds: from, toSeconds: to };
    const trim = await client.call(trimClip, { params: { id }, body });
    void queryClient.invalidateQueries({ queryKey: ["clips", "list"] });
    return trim.id;
  };
  const undo = async (posts: readonly Post[]) => {
    for (const { id } of posts) await client.call(undoPost, { params: { id } });
    void queryClient.invalidateQueries({ queryKey: ["posts"] });
  };
  return { send, undo, made };
}

const madeText = (count: number) =>
  t("{{count, number}} posts are made already, and are not made again.", {
    count,
    defaultValue_one: "1 post is made already, and is not made again.",
  });

/** Without the proposal's accounts, in place of which the chosen ones are sent. */
const wordsOf = ({ text, altText, contentWarning, visibility }: PostProposal): Words => ({
  text,
  altText,
  contentWarning,
  visibility,
});

function PostForm(props: Props & { proposal: PostProposal; accounts: readonly Account[] }) {
  const { clips, proposal, accounts, commands, onClose } = props;
  const { send, undo, made } = useSend(props);
  /** What the first try did. The others do the same, since some posts exist. */
  const [begun, setBegun] = useState<"posts" | "drafts">();
  const undoSeconds = usePostSettings().data?.undoSeconds ?? 0;
  const [chosen, setChosen] = useState<readonly string[]>(proposal.accounts);
  const [words, setWords] = useState(wordsOf(proposal));
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<Error>();
  const postButton = useRef<HTMLButtonElement>(null);
  useEffect(() => postButton.current?.focus(), []);
  const isOne = clips.length === 1;
  const name = visibleLine(proposal.title, 80);
  const isEmpty = chosen.length === 0;

  const takeBack = async (posts: readonly Post[]) => {
    try {
      await undo(posts);
      commands.say(isOne ? postToasts.undone(name) : postToasts.undoneAll(posts.length));
    } catch (failure) {
      commands.say((failure as Error).message);
    }
  };
  const submit = async (approve: boolean) => {
    setSending(true);
    setError(undefined);
    try {
      const posts = await send({ accounts: [...chosen], words: isOne ? words : undefined, approve });
      onClose();
      if (!approve) location.hash = postsAddress();
      const says = isOne ? postToasts.approved(name, undoSeconds) : postToasts.approvedAll(posts.length, 0);
      if (approve) commands.say(says, undoSeconds > 0 ? () => void takeBack(posts) : undefined);
    } catch (failure) {
      setError(failure as Error);
      if (made.size > 0) setBegun(approve ? "posts" : "drafts");
      setSending(false);
    }
  };
  return (
    <>
      <AccountChoice accounts={accounts} chosen={chosen} disabled={begun !== undefined} onChange={setChosen} />
      {isOne ? (
        <WordFields words={words} accounts={chosen} onChange={(some) => setWords({ ...words, ...some })} />
      ) : (
        <p>
          {t("Each clip gets a post of its own, with the text of its moment. You can edit drafts on the Posts page.")}
        </p>
      )}
      {undoSeconds > 0 && (
        <p className="small quiet">
          {t("Kit sends it {{seconds}} s after you post. Until then you can undo it.", { seconds: undoSeconds })}
        </p>
      )}
      <ErrorText error={error} />
      {begun !== undefined && <p role="status">{madeText(made.size)}</p>}
      <div className="panel-end">
        <Button variant="soft" color="gray" onClick={onClose}>
          {t("Cancel")}
        </Button>
        <Button variant="soft" disabled={isSending || isEmpty || begun === "posts"} onClick={() => void submit(false)}>
          {isOne ? t("Save as draft") : t("Save {{drafts}}", { drafts: draftCountText(clips.length) })}
        </Button>
        <Button
          ref={postButton}
          disabled={isSending || isEmpty || begun === "drafts"}
          onClick={() => void submit(true)}
        >
          <Icon name="share" size={14} />
          {isOne ? t("Post") : t("Send {{posts}}", { posts: postCountText(clips.length) })}
        </Button>
      </div>
    </>
  );
}

type AccountChoiceProps = {
  accounts: readonly Account[];
  chosen: readonly string[];
  disabled: boolean;
  onChange: (chosen: readonly string[]) => void;
};

function AccountChoice({ accounts, chosen, disabled, onChange }: AccountChoiceProps) {
  return (
    <fieldset className="cluster tight post-accounts">
      <legend className="small quiet">{t("Post to")}</legend>
      {accounts.map((account) => (
        <label key={account.id} className="choice post-account">
          <input
            type="checkbox"
            disabled={disabled}
            checked={chosen.includes(account.id)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, account.id] : chosen.filter((id) => id !== account.id))
            }
          />
          <span className="with-icon">
            {chosen.includes(account.id) && <Icon name="check" size={14} />}
            <AccountName of={account} />
          </span>
        </label>
      ))}
    </fieldset>
  );
}

type WordFieldsProps = { words: Words; accounts: readonly string[]; onChange: (words: Partial<Words>) => void };

function WordFields({ words, accounts, onChange }: WordFieldsProps) {
  const { text, altText, contentWarning } = words;
  return (
    <>
      <FieldRow label={t("Text")}>
        {({ field }) => (
          <TextArea
            id={field}
            rows={3}
            maxLength={postTextCharsMax}
            value={text}
            onChange={({ target }) => onChange({ text: target.value })}
          />
        )}
      </FieldRow>
      {accounts.length > 0 && (
        <PostPreviews body={{ text, contentWarning, altText, accounts: [...accounts], filled: true }} />
      )}
      <details>
        <summary>{t("More options")}</summary>
        <div className="stack">
          <AltTextField
            value={words}
            hint={t("Describes the footage for people who cannot see it.")}
            onChange={onChange}
          />
          <AudienceFields value={words} onChange={onChange} />
        </div>
      </details>
    </>
  );
}
