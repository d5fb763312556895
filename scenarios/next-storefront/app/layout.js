import './storefront.css';

export const metadata = { title: 'Storefront', description: 'One page of every rendering kind' };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <main>{children}</main>
      </body>
    </html>
  );
}
