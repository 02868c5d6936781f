// Answers a page in a browser with a picture for each post and clip, in place of files that a fake launcher does not have.
import type { Page } from "playwright-core";

const body = '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180" />';

export async function answerPictures(page: Page): Promise<void> {
  await page
    .context()
    .route(/\/api\/(?:posts\/[^/]+\/picture|clips\/[^/]+\/poster)(?:\?|$)/u, (route) =>
      route.fulfill({ contentType: "image/svg+xml", body }),
    );
}
