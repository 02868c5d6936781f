// Kit's icon in the tray of the desktop: shows it while the setting is on. Systems differ only in `ShowTrayIcon`.

import type { Message } from "@kit/contract";
import { message, reasonOf } from "@kit/contract/messages";

export type ShownTrayIcon = {
  /** False while the desktop has no tray, which may change. */
  hasTray(): boolean;
  close(): void;
};

type TrayMenuLine = { readonly text: string; readonly choose: () => void };

/** Shows the icon. Rejects if that cannot work at all; the reason is for a person. */
export type ShowTrayIcon = (on: {
  readonly clicked: () => void;
  /** What a right click offers, on systems where Kit's icon has a menu. */
  readonly menu: readonly TrayMenuLine[];
  /** Called when the desktop's tray has come or gone. */
  readonly changed: () => void;
  /** Called when the icon is gone for good, for example because the session has ended. */
  readonly lost: () => void;
}) => Promise<ShownTrayIcon>;

export type TrayDeps = {
  /** Undefined on a system on which Kit cannot show an icon yet. */
  readonly show: ShowTrayIcon | undefined;
  readonly isWanted: () => boolean;
  readonly onClick: () => void;
  readonly menu: () => readonly TrayMenuLine[];
  /** Called when `trouble` may have changed. */
  readonly onChanged: () => void;
  readonly retryMs?: number;
};

const retryAfterMs = 10_000;

export class Tray {
  readonly #deps: TrayDeps;
  #shown: ShownTrayIcon | undefined;
  #shownMenu = "";
  #failure: Message | undefined;
  #applying: Promise<void> = Promise.resolve();
  #retry: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(deps: TrayDeps) {
    this.#deps = deps;
  }

  /** Shows or removes the icon, as the setting says. Cheap if nothing changed. */
  readonly apply = (): void => {
    this.#applying = this.#applying.then(() => this.#apply());
  };

  /** Returns why the icon is not shown although it is wanted, and what to do; null if all is well. */
  trouble(): Message | null {
    if (!this.#deps.isWanted()) return null;
    if (this.#deps.show === undefined) return message("tray.unsupported");
    return this.#failure ?? (this.#shown?.hasTray() ? null : message("tray.none"));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#retry);
    await this.#applying;
    this.#close();
  }

  #close(): void {
    this.#shown?.close();
    this.#shown = this.#failure = undefined;
  }

  async #apply(): Promise<void> {
    const { show, isWanted, onClick, onChanged } = this.#deps;
    const menu = this.#deps.menu();
    const texts = menu.map(({ text }) => text).join("\n");
    clearTimeout(this.#retry);
    if (!isWanted() || this.#isStopped || show === undefined) return this.#close();
    if (this.#shown !== undefined && texts === this.#shownMenu) return;
    this.#close();
    this.#shownMenu = texts;
    const lost = () => {
      this.#close();
      this.#applyLater();
      onChanged();
    };
    try {
      this.#shown = await show({ clicked: onClick, menu, changed: onChanged, lost });
      this.#failure = undefined;
    } catch (error) {
      this.#failure = message("tray.failed", { why: reasonOf(error) });
      this.#applyLater();
    }
    onChanged();
  }

  #applyLater(): void {
    clearTimeout(this.#retry);
    if (!this.#isStopped) this.#retry = setTimeout(this.apply, this.#deps.retryMs ?? retryAfterMs).unref();
  }
}
