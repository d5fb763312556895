package dev.sluice.reports;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Reads what other tools wrote as XML; a file that asks for anything beyond itself is refused. */
public final class Xml {

  private Xml() {}

  /** All elements of this name in the file, in their order. */
  public static List<Element> elements(Path file, String name) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      return elements(factory.newDocumentBuilder().parse(file.toFile()).getElementsByTagName(name));
    } catch (SAXException | ParserConfigurationException e) {
      throw new IOException(file + ": not XML: " + e.getMessage(), e);
    }
  }

  /** All elements of this name within another. */
  public static List<Element> elements(Element within, String name) {
    return elements(within.getElementsByTagName(name));
  }

  private static List<Element> elements(NodeList nodes) {
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      if (nodes.item(i) instanceof Element element) {
        elements.add(element);
      }
    }
    return elements;
  }
}
