import { LegalPage } from '../features/legal/legal-page.tsx';

/** `/terms`. */
export function Component() {
  return <LegalPage text="terms" />;
}
