// The posts under their headings, and the focus among them.
import type { Post } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type ReactNode, useId } from "react";
import { PostCard, type PostCardGiven } from "./post-card.tsx";

type Given = {
  readonly given: PostCardGiven;
  /** The post that takes part in the tab order. */
  readonly stop: string | undefined;
  readonly troubles: ReadonlyMap<string, string>;
};

type SectionProps = Given & {
  title: string;
  posts: readonly Post[];
  size: "full" | "small";
  end?: ReactNode;
  children?: ReactNode;
};

export function PostSection({ title, posts, size, end, children, given, stop, troubles }: SectionProps) {
  const id = useId();
  return (
    <section className="post-section" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {end}
      </header>
      {children}
      <ul>
        {posts.map((post) => (
          <li key={post.id}>
            <PostCard
              given={given}
              post={post}
              size={size}
              tabStop={post.id === stop}
              trouble={troubles.get(post.id)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

type MoreProps = { says: string; pages: { hasNextPage: boolean; isFetching: boolean; fetchNextPage: () => unknown } };

export function ShowMore({ says, pages }: MoreProps) {
  if (!pages.hasNextPage) return null;
  return (
    <div className="notice-line">
      <Button variant="soft" color="gray" disabled={pages.isFetching} onClick={() => void pages.fetchNextPage()}>
        {says}
      </Button>
    </div>
  );
}
