// One post: its words and its footage, where it goes and how far it is, and what a person decides.

import type { Post } from "@kit/contract";
import { Badge, Button } from "@radix-ui/themes";
import { memo, useId } from "react";
import { t, translateMessage } from "../../language/language.ts";
import { rowAddress } from "../../ui/address.ts";
import { gameWord } from "../../ui/game-name.ts";
import { Icon } from "../../ui/icon.tsx";
import { Ago } from "../../ui/issues/issue-labels.tsx";
import { toneColours } from "../../ui/labels.tsx";
import { Deliveries, Recipients } from "../../ui/posts/deliveries.tsx";
import { eventWord, postStateWord, visibilityWord } from "../../ui/posts/post-words.ts";
import type { PostCommands } from "../../ui/posts/use-post-commands.ts";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import { PostActions, type PostActionsGiven } from "./post-actions.tsx";
import { PostEditor } from "./post-editor.tsx";
import { PostFootage } from "./post-footage.tsx";
import { movePostByKey } from "./selection-moves.ts";

export type PostCardGiven = PostActionsGiven & {
  readonly doing: PostCommands;
  readonly nowMs: number;
  /** The post whose words are being changed. */
  readonly editing: string | undefined;
  readonly onEdited: (post: Post) => void;
  readonly onVisit: (id: string) => void;
};

type Props = {
  given: PostCardGiven;
  post: Post;
  /** Small where it is history. */
  size: "full" | "small";
  /** One post takes part in the tab order; j, k and the arrow keys go from post to post. */
  tabStop: boolean;
  trouble: string | undefined;
};

export const PostCard = memo(function PostCard({ given, post, size, tabStop, trouble }: Props) {
  const title = useId();
  const name = visibleLine(eventWord(post), 80);
  const isEdited = given.editing === post.id && post.state === "draft";
  return (
    <article
      className="post"
      data-post={post.id}
      data-state={post.state}
      data-size={size}
      aria-labelledby={title}
      tabIndex={tabStop ? 0 : -1}
      onFocus={() => given.onVisit(post.id)}
      onKeyDown={movePostByKey}
    >
      <PostFootage post={post} />
      <div className="post-main">
        <PostHead post={post} title={title} nowMs={given.nowMs} />
        {isEdited ? (
          <PostEditor post={post} doing={given.doing} trouble={trouble} onClose={() => given.onEdited(post)} />
        ) : (
          <PostBody given={given} post={post} name={name} trouble={trouble} />
        )}
      </div>
    </article>
  );
});

function PostHead({ post, title, nowMs }: { post: Post; title: string; nowMs: number }) {
  const { says, tone } = postStateWord(post.state);
  return (
    <header className="post-head">
      <h3 id={title}>
        <bdi>{visibleLine(eventWord(post), 100)}</bdi>
      </h3>
      <p className="post-about">
        <bdi>{gameWord(post.game)}</bdi>
        <a href={rowAddress(post.event)} aria-label={t("Its event: {{id}}", { id: visibleLine(post.eventId, 80) })}>
          <Ago at={post.happenedAt} nowMs={nowMs} />
        </a>
      </p>
      <Badge
        className="state"
        color={toneColours[tone]}
        variant={tone === "quiet" ? "outline" : "soft"}
        data-tone={tone}
      >
        {says}
      </Badge>
    </header>
  );
}

type BodyProps = { given: PostCardGiven; post: Post; name: string; trouble: string | undefined };

function PostBody({ given, post, name, trouble }: BodyProps) {
  return (
    <>
      <PostWords post={post} />
      {post.asks !== null && <Asks post={post} name={name} doing={given.doing} />}
      {isUnderway(post) ? (
        <Deliveries post={post} doing={given.doing} nowMs={given.nowMs} />
      ) : (
        <Recipients deliveries={post.deliveries} />
      )}
      {trouble !== undefined && (
        <p className="post-trouble" role="alert">
          {visibleText(trouble)}
        </p>
      )}
      <PostActions
        post={post}
        nowMs={given.nowMs}
        name={name}
        onApprove={given.onApprove}
        onEdit={given.onEdit}
        onSkip={given.onSkip}
        onUndo={given.onUndo}
      />
    </>
  );
}

/** Whether anything can be said of its way to an account yet. */
function isUnderway({ state, deliveries }: Post): boolean {
  if (state === "draft" || state === "skipped" || state === "expired") return false;
  return state !== "approved" || deliveries.some((delivery) => delivery.state !== "waiting" || delivery.says !== null);
}

/** What a person has to decide, with the answer that is most often meant. */
function Asks({ post, name, doing }: { post: Post; name: string; doing: PostCommands }) {
  const canGoWithout = post.state === "draft" && post.attach !== "none" && post.footage.state === "missing";
  return (
    <div className="post-asks">
      <Icon name="question" size={16} />
      <p>
        <strong>{t("To decide:")} </strong>
        <bdi>{visibleText(translateMessage(post.asks ?? ""))}</bdi>
      </p>
      {canGoWithout && (
        <Button
          size="1"
          variant="soft"
          color="gray"
          aria-label={t("Post without a picture: {{name}}", { name })}
          onClick={() => void doing.change(post, { attach: "none" })}
        >
          {t("Post without it")}
        </Button>
      )}
    </div>
  );
}

/** The post as it is sent, with all that is sent beside its text. */
function PostWords({ post: { text, contentWarning, visibility, altText, attach } }: { post: Post }) {
  const seen = visibilityWord(visibility);
  return (
    <div className="post-words">
      {(contentWarning !== "" || seen !== "") && (
        <p className="post-marks">
          {contentWarning !== "" && (
            <span className="post-mark">
              <Icon name="warning" size={14} />
              <span className="unseen">{t("Content warning:")} </span>
              <bdi>{visibleLine(contentWarning, 200)}</bdi>
            </span>
          )}
          {seen !== "" && (
            <span className="post-mark">
              <Icon name="eye" size={14} />
              {seen}
            </span>
          )}
        </p>
      )}
      <p className="post-text">{text === "" ? <em>{t("No text")}</em> : <bdi>{visibleText(text)}</bdi>}</p>
      {attach !== "none" && altText !== "" && (
        <p className="post-alt">
          <span className="post-alt-name">{t("Alt text")}</span>
          <bdi>{visibleText(altText)}</bdi>
        </p>
      )}
    </div>
  );
}
