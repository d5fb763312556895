import Link from 'next/link';
import { countRender } from '../../lib/renders';

export const dynamic = 'force-dynamic';

const PRERENDERED = ['/about', '/delivery', '/guide/care', '/news'];

/** Six links, which a browser prefetches with twelve requests. */
export default function Window() {
  countRender('/window');
  return (
    <>
      <h1>Shop window</h1>
      <ul>
        {PRERENDERED.map((href) => (
          <li key={href}>
            <Link href={href}>{href}</Link>
          </li>
        ))}
        <li>
          <Link href="/products/1">Product 1</Link>
        </li>
        <li>
          <Link href="/products/2" prefetch={true}>
            Product 2, fetched whole
          </Link>
        </li>
      </ul>
    </>
  );
}
