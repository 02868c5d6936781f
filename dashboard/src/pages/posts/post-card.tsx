// The card of a post: its text, footage, accounts, deliveries and actions.
import { type Delivery, type Post, repeatedDeliveries, textOf } from "@kit/contract";
import { Badge, Button } from "@radix-ui/themes";
import { memo, useId } from "react";
import { t, translateMessage } from "../../language/language.ts";
import { rowAddress } from "../../ui/address.ts";
import { ErrorText } from "../../ui/error-text.tsx";
import { Icon } from "../../ui/icon.tsx";
import { RelativeTime, ToneBadge } from "../../ui/labels.tsx";
import { gameName, useNames } from "../../ui/names.ts";
import { AccountName } from "../../ui/posts/post-fields.tsx";
import {
  deliveryStateLabel,
  networkLabel,
  postEventName,
  postLabel,
  resendWarning,
  settleChoices,
  toWebLink,
  visibilityLabel,
} from "../../ui/posts/post-text.ts";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import { type PostActionHandlers, PostActions, postFocus } from "./post-actions.tsx";
import { PostEditor } from "./post-editor.tsx";
import { PostFootage } from "./post-footage.tsx";
import type { PostCommands } from "./use-post-commands.ts";

export type PostCardContext = PostActionHandlers & {
  readonly commands: PostCommands;
  readonly nowMs: number;
  /** Id of the post that is being edited. */
  readonly editing: string | undefined;
  readonly onEdited: (post: Post) => void;
  readonly onVisit: (id: string) => void;
};

type Props = {
  context: PostCardContext;
  post: Post;
  /** `small` is for posts that need no decision. */
  size: "full" | "small";
  /** Only this post is in the tab order; j, k and the arrow keys move between posts. */
  tabStop: boolean;
  trouble: string | undefined;
};

export const PostCard = memo(function PostCard({ context, post, size, tabStop, trouble }: Props) {
  useNames();
  const title = useId();
  const name = visibleLine(postEventName(post), 80);
  const isEditing = context.editing === post.id && (post.state === "draft" || post.state === "held");
  return (
    <article
      className="card post"
      data-post={post.id}
      data-state={post.state}
      data-size={size}
      aria-labelledby={title}
      tabIndex={tabStop ? 0 : -1}
      onFocus={() => context.onVisit(post.id)}
      onKeyDown={(event) => event.target === event.currentTarget && postFocus.handleKey(event)}
    >
      <PostFootage post={post} />
      <div className="stack">
        <PostHeader post={post} title={title} nowMs={context.nowMs} />
        {isEditing ? (
          <PostEditor
            post={post}
            commands={context.commands}
            trouble={trouble}
            onClose={() => context.onEdited(post)}
          />
        ) : (
          <PostBody context={context} post={post} name={name} trouble={trouble} />
        )}
      </div>
    </article>
  );
});

function PostHeader({ post, title, nowMs }: { post: Post; title: string; nowMs: number }) {
  const { says, tone } = postLabel(post);
  return (
    <header className="cluster">
      <h3 id={title}>
        <bdi>{visibleLine(postEventName(post), 100)}</bdi>
      </h3>
      <p className="small quiet dots">
        <bdi>{gameName(post.game)}</bdi>
        {post.event === null ? (
          <RelativeTime at={post.happenedAt} nowMs={nowMs} />
        ) : (
          <a
            href={rowAddress(post.event)}
            aria-label={t("Event: {{name}}", { name: visibleLine(postEventName(post), 80) })}
          >
            <RelativeTime at={post.happenedAt} nowMs={nowMs} />
          </a>
        )}
      </p>
      <span className="end">
        <ToneBadge says={says} tone={tone} />
      </span>
    </header>
  );
}

type BodyProps = { context: PostCardContext; post: Post; name: string; trouble: string | undefined };

function PostBody({ context, post, name, trouble }: BodyProps) {
  return (
    <>
      <PostText post={post} />
      {post.state === "held" && post.held !== null && (
        <p className="small quiet">
          <bdi>{visibleText(t("Held back: {{reason}}", { reason: translateMessage(post.held) }))}</bdi>
        </p>
      )}
      {post.asks !== null && <Decision post={post} name={name} commands={context.commands} />}
      {hasDeliveryState(post) ? (
        <Deliveries post={post} commands={context.commands} nowMs={context.nowMs} />
      ) : (
        <Recipients post={post} />
      )}
      <ErrorText error={trouble} />
      <PostActions
        post={post}
        nowMs={context.nowMs}
        name={name}
        onApprove={context.onApprove}
        onEdit={context.onEdit}
        onSkip={context.onSkip}
        onUndo={context.onUndo}
      />
    </>
  );
}

/** Whether the deliveries show more than the state of the post does. */
function hasDeliveryState({ state, deliveries }: Post): boolean {
  if (state === "draft" || state === "held" || state === "skipped" || state === "expired") return false;
  return state !== "approved" || deliveries.some((delivery) => delivery.state !== "waiting" || delivery.says !== null);
}

/** The question that a post asks, with a button for the most likely answer. */
function Decision({ post, name, commands }: { post: Post; name: string; commands: PostCommands }) {
  const canPostWithout =
    (post.state === "draft" || post.state === "held") && post.attach !== "none" && post.footage.state === "missing";
  return (
    <div className="note">
      <Icon name="question" size={16} />
      <p>
        <strong>{t("Decision needed:")} </strong>
        <bdi>{visibleText(translateMessage(post.asks ?? ""))}</bdi>
      </p>
      {canPostWithout && (
        <Button
          size="1"
          variant="soft"
          color="gray"
          aria-label={t("Post without an attachment: {{name}}", { name })}
          onClick={() => void commands.change(post, { attach: "none" })}
        >
          {t("Post without an attachment")}
        </Button>
      )}
    </div>
  );
}

/** The text of a post, and all that is sent with it: content warning, audience and alt text. */
function PostText({ post: { text, contentWarning, visibility, altText, attach } }: { post: Post }) {
  const audience = visibilityLabel(visibility);
  return (
    <div className="stack tight">
      {(contentWarning !== "" || audience !== "") && (
        <p className="cluster small quiet post-marks">
          {contentWarning !== "" && (
            <span className="with-icon">
              <Icon name="warning" size={14} />
              <span className="unseen">{t("Content warning:")} </span>
              <bdi>{visibleLine(contentWarning, 200)}</bdi>
            </span>
          )}
          {audience !== "" && (
            <span className="with-icon">
              <Icon name="eye" size={14} />
              {audience}
            </span>
          )}
        </p>
      )}
      <p className="post-text">{text === "" ? <em>{t("No text")}</em> : <bdi>{visibleText(text)}</bdi>}</p>
      {attach !== "none" && altText !== "" && (
        <p className="small quiet clamp post-alt">
          <Badge color="gray" variant="outline">
            {t("Alt text")}
          </Badge>{" "}
          <bdi>{visibleText(altText)}</bdi>
        </p>
      )}
    </div>
  );
}

// The deliveries of a post: state and link of each, and what a person can decide about one that is unconfirmed or failed.

/** The accounts to which a draft will be sent. */
function Recipients({ post }: { post: Post }) {
  const { deliveries } = post;
  if (deliveries.length === 0) return <p className="small quiet">{t("No account is selected.")}</p>;
  return (
    <>
      <ul className="cluster tight recipients" aria-label={t("Recipients")}>
        {deliveries.map((delivery) => (
          <li key={delivery.account}>
            <AccountName of={delivery} />
          </li>
        ))}
      </ul>
      {repeatedDeliveries(post).map(({ account, name }) => (
        <p key={account} className="note">
          <Icon name="warning" size={16} />
          <bdi>{t("The same moment was posted to {{name}} already.", { name: visibleLine(name, 60) })}</bdi>
        </p>
      ))}
    </>
  );
}

type DeliveriesProps = { post: Post; commands: PostCommands; nowMs: number };

function Deliveries({ post, commands, nowMs }: DeliveriesProps) {
  if (post.deliveries.length === 0) return <p className="small quiet">{t("No account is selected.")}</p>;
  return (
    <ul className="stack tight deliveries" aria-label={t("Accounts")}>
      {post.deliveries.map((delivery) => (
        <li key={delivery.account} className="stack tight small delivery" data-state={delivery.state}>
          <DeliveryLine delivery={delivery} nowMs={nowMs} />
          {(delivery.state === "maybe" || delivery.state === "failed") && (
            <Settle post={post} delivery={delivery} commands={commands} />
          )}
        </li>
      ))}
    </ul>
  );
}

function DeliveryLine({ delivery, nowMs }: { delivery: Delivery; nowMs: number }) {
  const { progress, says, notes, link } = delivery;
  const word = deliveryStateLabel(delivery, nowMs);
  const page = link === null ? undefined : toWebLink(link);
  return (
    <>
      <p className="cluster">
        <AccountName of={delivery} />
        <ToneBadge {...word} />
        {page !== undefined && (
          <a href={page.href} title={visibleLine(page.host, 60)} target="_blank" rel="noopener noreferrer">
            {t("Open in {{network}}", { network: networkLabel(delivery.network).says })}
          </a>
        )}
      </p>
      {delivery.state === "preparing" && (
        <progress
          aria-label={t("Converting the footage for {{name}}", { name: visibleLine(delivery.name, 60) })}
          max={1}
          {...(progress === null ? {} : { value: progress })}
        />
      )}
      {says !== null && delivery.state !== "sent" && (
        <p className={delivery.state === "failed" ? "error" : "quiet"}>
          <bdi>{visibleText(translateMessage(says))}</bdi>
        </p>
      )}
      {notes.map((note) => (
        <p key={textOf(note)} className="quiet">
          <bdi>{visibleText(translateMessage(note))}</bdi>
        </p>
      ))}
    </>
  );
}

type SettleProps = { post: Post; delivery: Delivery; commands: PostCommands };

/** The buttons to decide about an unconfirmed or failed delivery. */
function Settle({ post, delivery, commands }: SettleProps) {
  const unsure = delivery.state === "maybe";
  const answers = unsure ? (["sent", "again", "dropped"] as const) : (["again", "dropped"] as const);
  const name = visibleLine(delivery.name, 60);
  return (
    <ul className="stack tight settle">
      {answers.map((as) => (
        <li key={as}>
          <Button
            size="1"
            variant="soft"
            color={as === "dropped" ? "gray" : "iris"}
            aria-label={`${settleChoices[as].says}: ${name}`}
            onClick={() => commands.settle(post, delivery, as)}
          >
            {settleChoices[as].says}
          </Button>
          <span>{unsure && as === "again" ? resendWarning : settleChoices[as].about}</span>
        </li>
      ))}
    </ul>
  );
}
