import { Component, type ReactNode } from 'react';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { expectLogged } from './console.ts';

class Boundary extends Component<{ children: ReactNode }> {
  override state = { broken: false };
  static getDerivedStateFromError = () => ({ broken: true });
  override render = () => (this.state.broken ? <p>Roto</p> : this.props.children);
}

function Broken(): ReactNode {
  throw new Error('the component broke');
}

test('a component test can say which errors it expects on the console', async () => {
  const screen = await render(
    <Boundary>
      <Broken />
    </Boundary>,
  );
  await expect.element(screen.getByText('Roto')).toBeVisible();
  await expectLogged(/the component broke/);
});
