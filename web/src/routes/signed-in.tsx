import { type ClientLoaderFunctionArgs, useMatches } from 'react-router';
import { BottomBar } from '../features/shell/bottom-bar.tsx';
import { Guard, loadSession } from '../features/shell/guard.tsx';

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) => loadSession(request);

/** Pages keep themselves up to date: asking again is no matter of navigation. */
export const shouldRevalidate = () => false;

/** Around the pages of people who are signed in: of admins, unless routes.ts says that they are every sender's. */
export default function SignedIn() {
  const isForSenders = useMatches().some(({ id }) => id === 'senders-only');
  return (
    <>
      <Guard admin={!isForSenders} />
      {isForSenders && <BottomBar />}
    </>
  );
}
