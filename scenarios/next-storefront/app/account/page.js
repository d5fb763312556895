import { cookies } from 'next/headers';
import { countRender } from '../../lib/renders';

export default async function Account() {
  const session = (await cookies()).get('session');
  countRender('/account');
  return (
    <>
      <h1>Account</h1>
      <p>
        Session <code id="session">{session?.value}</code>
      </p>
    </>
  );
}
