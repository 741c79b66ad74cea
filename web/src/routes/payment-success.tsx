import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type MetaFunction, Navigate, useLocation } from 'react-router';
import { useSession } from '../data/session.ts';
import { readReturnAddress, withoutSecret } from '../features/payment/return-address.ts';
import { Returned, Verdict } from '../features/payment/returned.tsx';
import { loginLeadingTo } from '../lib/paths.ts';
import { tabTitle } from '../lib/public-meta.ts';
import { Page, PageLoading } from '../ui/page.tsx';

export const meta: MetaFunction = () => [{ title: tabTitle(t`Tu pago`) }];

/** Where the card provider brings a person back to. */
export default function PaymentSuccessPage() {
  const { search, pathname } = useLocation();
  const session = useSession();
  const address = readReturnAddress(new URLSearchParams(search));
  const clean = withoutSecret(address);
  // Also before signing in: the secret goes nowhere.
  if (pathname + search !== clean) return <Navigate to={clean} replace />;
  if (session.isPending) return <PageLoading />;
  if (!session.data) return <Navigate to={loginLeadingTo(clean)} replace />;
  return (
    <Page title={t`Tu pago`} size={608}>
      {address.paymentIntentId ? (
        <Returned paymentIntentId={address.paymentIntentId} from={address.from} />
      ) : (
        <Verdict outcome="wrong">
          <Trans>Falta saber de qué pago se trata. Mira tus transacciones en tu panel.</Trans>
        </Verdict>
      )}
    </Page>
  );
}
