import Link from 'next/link';
import { countRender } from '../../lib/renders';

export function getServerSideProps({ req }) {
  countRender('/legacy/orders');
  return { props: { session: req.cookies.session ?? 'none', at: new Date().toISOString() } };
}

export default function Orders({ session, at }) {
  return (
    <main>
      <h1>Orders</h1>
      <p>
        Session <code id="session">{session}</code> at {at}
      </p>
      <Link href="/legacy/terms">Terms</Link>
    </main>
  );
}
