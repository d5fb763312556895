export const dynamic = 'force-static';

export default function Delivery() {
  return (
    <>
      <h1>Delivery</h1>
      <p>Within three days, to wherever a road leads.</p>
    </>
  );
}
