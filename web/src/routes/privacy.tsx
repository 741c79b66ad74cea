import { LegalPage } from '../features/legal/legal-page.tsx';

/** `/privacy`. */
export function Component() {
  return <LegalPage text="privacy" />;
}
