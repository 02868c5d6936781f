// Shown in place of a list when no entry matches its filters, with a button that clears them.
import { Button, Heading, Text } from "@radix-ui/themes";
import { useId } from "react";

type Props = { title: string; hint: string; clearLabel: string; onClear: () => void };

export function NoMatches({ title, hint, clearLabel, onClear }: Props) {
  const id = useId();
  return (
    <section className="empty" aria-labelledby={id}>
      <Heading as="h2" size="4" weight="medium" id={id}>
        {title}
      </Heading>
      <Text as="p" color="gray">
        {hint}
      </Text>
      <Button variant="soft" onClick={onClear}>
        {clearLabel}
      </Button>
    </section>
  );
}
