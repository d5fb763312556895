import Image from 'next/image';
import Link from 'next/link';
import { countRender } from '../lib/renders';

export const dynamic = 'force-dynamic';

const LINKS = [
  ['/products/1', 'Product 1'],
  ['/stream', 'Recommendations, streamed'],
  ['/about', 'About'],
  ['/catalog', 'Catalog'],
  ['/account', 'Account'],
  ['/basket', 'Basket'],
];

export default function Home() {
  countRender('/');
  return (
    <>
      <h1>Storefront</h1>
      <Image src="/img/hero.png" alt="A shop window" width={640} height={240} />
      <ul>
        {LINKS.map(([href, label]) => (
          <li key={href}>
            <Link href={href}>{label}</Link>
          </li>
        ))}
        <li>
          <Link href="/legacy/orders">Orders</Link>, <Link href="/legacy/terms">Terms</Link>
        </li>
      </ul>
    </>
  );
}
