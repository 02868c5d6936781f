// A titled list of posts.
import type { Post } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type ReactNode, useId } from "react";
import { PostCard, type PostCardContext } from "./post-card.tsx";

type CardListProps = {
  readonly context: PostCardContext;
  /** Id of the post in the tab order. */
  readonly stop: string | undefined;
  readonly troubles: ReadonlyMap<string, string>;
};

type SectionProps = CardListProps & {
  title: string;
  posts: readonly Post[];
  size: "full" | "small";
  end?: ReactNode;
  children?: ReactNode;
};

export function PostSection({ title, posts, size, end, children, context, stop, troubles }: SectionProps) {
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
              context={context}
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
