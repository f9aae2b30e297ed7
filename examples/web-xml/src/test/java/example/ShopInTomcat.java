package example;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/** Serves the packaged web application in Tomcat until the process ends. */
final class ShopInTomcat implements AutoCloseable {

    private final Tomcat tomcat = new Tomcat();

    ShopInTomcat(int port) throws Exception {
        tomcat.setBaseDir(Files.createTempDirectory("tomcat").toString());
        tomcat.setPort(port);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.setAddDefaultWebXmlToWebapp(false); // would need JSP
        tomcat.addWebapp("", Path.of("target/shop").toAbsolutePath().toString())
                .setParentClassLoader(ShopInTomcat.class.getClassLoader()); // Maven runs this in a class loader of its own
        tomcat.start();
    }

    /** The address of the shop, for example {@code http://127.0.0.1:8080}. */
    String address() {
        return "http://127.0.0.1:" + tomcat.getConnector().getLocalPort();
    }

    @Override
    public void close() throws LifecycleException {
        tomcat.stop();
        tomcat.destroy();
    }

    public static void main(String[] arguments) throws Exception {
        try (ShopInTomcat shop = new ShopInTomcat(8080)) {
            System.out.println("serving " + shop.address() + "/product/42; Ctrl+C ends it");
            shop.tomcat.getServer().await();
        }
    }
}
