import { page } from 'vitest/browser';

/** Presses a button twice before it can show that it is busy, as an impatient thumb does on a busy phone. */
export function pressTwice(testid: string): void {
  const button = page.getByTestId(testid).element() as HTMLButtonElement;
  button.click();
  button.click();
}
