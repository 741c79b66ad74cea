import { useState } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { surviveTranslators } from './translated-page.ts';

const { removeChild, insertBefore } = Node.prototype;
beforeEach(surviveTranslators);
afterEach(() => {
  Object.assign(Node.prototype, { removeChild, insertBefore });
});

/** Wraps every text of an element as the translators of browsers do, or puts another one in its place. */
function translate(root: Element, how: 'wrapped' | 'replaced') {
  const texts: Text[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    const font = document.createElement('font');
    text.replaceWith(font);
    font.append(how === 'wrapped' ? text : `[${text.data}]`);
  }
}

function Page() {
  const [step, setStep] = useState(0);
  return (
    <section>
      <p>
        {step === 0 && 'Cargando'} {step > 0 && <b>Antes </b>}
        {step < 2 ? 'Elige' : <i>Listo</i>} <span>Fin</span>
      </p>
      <button type="button" onClick={() => setStep(step + 1)}>
        Seguir
      </button>
    </section>
  );
}

for (const how of ['wrapped', 'replaced'] as const) {
  test(`a page whose texts a translator has ${how} goes on`, async () => {
    const screen = await render(<Page />);
    const root = screen.container.querySelector('section') as Element;
    translate(root, how);
    const next = screen.getByRole('button');
    await next.click();
    await expect.element(screen.getByText('Antes')).toBeVisible();
    translate(root, how);
    await next.click();
    await expect.element(screen.getByText('Listo')).toBeVisible();
    if (how === 'wrapped') expect(root.querySelector('p')?.textContent?.replace(/\s+/g, ' ')).toBe(' Antes Listo Fin');
    await screen.unmount();
    expect(document.querySelector('section')).toBeNull();
  });
}
