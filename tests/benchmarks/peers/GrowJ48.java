import java.io.BufferedReader;
import java.io.FileReader;
import weka.classifiers.trees.J48;
import weka.core.Instances;
import weka.core.Utils;

/**
 * Seconds that Weka's J48 takes to grow a tree on the ARFF file given, target last; and its leaves.
 *
 * <p>java -cp weka.jar GrowJ48.java TABLE.arff -U -M 2. It grows three times, so that the machine code of the loops is
 * ready, and prints the least.
 */
public class GrowJ48 {
  public static void main(String[] arguments) throws Exception {
    Instances table = new Instances(new BufferedReader(new FileReader(arguments[0])));
    table.setClassIndex(table.numAttributes() - 1);
    double least = Double.POSITIVE_INFINITY;
    J48 tree = null;
    for (int repeat = 0; repeat < 3; repeat++) {
      String[] options = new String[arguments.length - 1];
      System.arraycopy(arguments, 1, options, 0, options.length);
      tree = new J48();
      tree.setOptions(options);
      long start = System.nanoTime();
      tree.buildClassifier(table);
      least = Math.min(least, (System.nanoTime() - start) / 1e9);
    }
    System.out.println(least + " " + Utils.doubleToString(tree.measureNumLeaves(), 0));
  }
}
