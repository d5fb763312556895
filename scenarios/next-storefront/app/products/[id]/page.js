import Link from 'next/link';
import { countRender } from '../../../lib/renders';
import { after, price, product } from '../../../lib/shop';

export const dynamic = 'force-dynamic';

export default async function Product({ params }) {
  const { id } = await params;
  countRender('/products/[id]');
  await after(20);
  const item = product(id);
  return (
    <>
      <h1>{item.name}</h1>
      <p>{price(item.cents)}</p>
      <Link href="/">Home</Link>
    </>
  );
}
