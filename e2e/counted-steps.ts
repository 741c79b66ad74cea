import type { Locator, Page } from 'playwright-core';

/** What a person does on the way to a transfer: presses, fills in, and looks at. */
export interface Steps {
  taps: number;
  fields: number;
  screens: number;
}

/** Acts for a person and counts. A field counts once with all it takes to fill it in; a screen is a page or a dialog that covers it on a phone. */
export class CountedSteps {
  readonly steps: Steps = { taps: 0, fields: 0, screens: 0 };

  async tap(control: Locator): Promise<void> {
    this.steps.taps += 1;
    await control.click();
  }

  /** Follows a link from outside the product, as that of an e-mail. */
  async follow(page: Page, address: string): Promise<void> {
    this.steps.taps += 1;
    await page.goto(address);
  }

  async fill(field: Locator, text: string): Promise<void> {
    this.steps.fields += 1;
    await field.fill(text);
  }

  async choose(field: Locator, value: string): Promise<void> {
    this.steps.fields += 1;
    await field.selectOption(value);
  }

  /** Waits for what shows that another screen is there. */
  async see(sign: Locator): Promise<void> {
    this.steps.screens += 1;
    await sign.waitFor();
  }
}

/** What a table of `page` says of the way with this name: "| name | taps | fields | screens |". @throws where it says nothing. */
export function statedSteps(page: string, name: string): Steps {
  const row = page.split('\n').find((line) => line.startsWith(`| ${name} |`));
  const [taps, fields, screens] = row?.split('|').slice(2, 5).map(Number) ?? [];
  if (taps === undefined || fields === undefined || screens === undefined) throw new Error(`no row ${name}`);
  return { taps, fields, screens };
}
