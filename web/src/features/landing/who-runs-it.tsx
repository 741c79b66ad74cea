import { t } from '@lingui/core/macro';
import { useCompany } from '../../lib/document.ts';
import CompanyNotice from '../shared/company-notice.tsx';
import { Section } from './section.tsx';

/** The company that runs this installation and how it protects money; nothing where none is configured: the foot of the page says so. */
export default function WhoRunsIt() {
  if (!useCompany()?.name) return null;
  return (
    <Section title={t`Quién mueve tu dinero`} layout="beside">
      <CompanyNotice />
    </Section>
  );
}
